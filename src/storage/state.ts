/**
 * What runs remember: small objects of JSON, each changed only from the state that was read (compare and swap
 * by ETag) and at most once a second, so that of several runs one goes on and the others see it.
 */

import * as v from 'valibot';
import type { Clock } from './clock.ts';

/** An object that nobody here has written: it is there, and it answers. */
export class UnreadableState extends Error {
  readonly key: string;

  constructor(key: string, remedy: string) {
    super(`Cannot read ${key}: it is not what this service writes there; ${remedy}`);
    this.key = key;
  }
}

export interface State<Value> {
  /** Undefined when there is no such object. */
  readonly value: Value | undefined;
  /** What it is changed from; undefined when there is no such object. */
  readonly etag: string | undefined;
  /** When it was written, in milliseconds since 1970; 0 when there is no such object. */
  readonly writtenAt: number;
}

/**
 * Reads an object.
 *
 * @param remedy - What to do when it cannot be read.
 * @throws {UnreadableState} When it is not what the schema says, and what R2 throws.
 */
export async function readState<Value>(
  bucket: Pick<R2Bucket, 'get'>,
  key: string,
  schema: v.GenericSchema<unknown, Value>,
  remedy = 'delete it to have it made anew',
): Promise<State<Value>> {
  const object = await bucket.get(key);
  if (object === null) return { value: undefined, etag: undefined, writtenAt: 0 };
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), await object.text());
  if (!parsed.success) throw new UnreadableState(key, remedy);
  return { value: parsed.output, etag: object.etag, writtenAt: object.uploaded.getTime() };
}

/** R2 takes one write a second for each key (R2, Limits); this leaves a little room. In milliseconds. */
export const WRITE_INTERVAL_MS = 1_100;

/** Whether R2 has refused a write because the key was written within the last second (R2, Error codes). */
export function isWrittenTooOften(error: unknown): boolean {
  return error instanceof Error && error.message.includes('(10058)');
}

/**
 * Changes an object from the state that was read or written last, or creates it when there was none. It waits until a
 * second has passed since then, and once more when another run has written meanwhile and R2 refuses a second write.
 *
 * Every object that is written again is written here: it is what keeps to R2's limit. Two states that follow one another
 * have to differ, as by the name of the run, or their ETags would be the same.
 *
 * @returns The new state, or undefined when another run has changed it meanwhile and nothing is written.
 * @throws What R2 throws; whether it is written is then unknown.
 */
export async function swapState<Value extends object | number>(
  bucket: Pick<R2Bucket, 'put'>,
  key: string,
  value: Value,
  { etag, writtenAt }: Pick<State<unknown>, 'etag' | 'writtenAt'>,
  clock: Clock,
): Promise<State<Value> | undefined> {
  const put = () =>
    bucket.put(key, JSON.stringify(value), {
      onlyIf: etag === undefined ? { etagDoesNotMatch: '*' } : { etagMatches: etag },
      httpMetadata: { contentType: 'application/json' },
    });
  const rest = writtenAt + WRITE_INTERVAL_MS - clock.now();
  if (rest > 0) await clock.wait(Math.min(rest, WRITE_INTERVAL_MS));
  const refused = (error: unknown) => {
    if (!isWrittenTooOften(error)) throw error;
    return 'refused' as const;
  };
  let written = await put().catch(refused);
  if (written === 'refused') {
    await clock.wait(WRITE_INTERVAL_MS);
    written = await put().catch(refused);
  }
  // Refused twice, although this run has waited: others write it all the time.
  if (written === 'refused') return undefined;
  return written === null ? undefined : { value, etag: written.etag, writtenAt: clock.now() };
}
