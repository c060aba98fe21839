/**
 * State that runs keep: small JSON objects, each changed only from the state that was read (compare and swap by ETag)
 * and at most once a second, so that of several concurrent runs one proceeds and the others notice.
 */

import * as v from 'valibot';
import type { Clock } from './clock.ts';

/** The object exists and can be fetched, but this service did not write it. */
export class UnreadableState extends Error {
  readonly key: string;

  constructor(key: string, remedy: string) {
    super(`Cannot read ${key}: it is not what this service writes there; ${remedy}`);
    this.key = key;
  }
}

export interface State<Value> {
  /** Undefined when the object does not exist. */
  readonly value: Value | undefined;
  /** The ETag to change it from; undefined when the object does not exist. */
  readonly etag: string | undefined;
  /** When it was written, in milliseconds since 1970; 0 when the object does not exist. */
  readonly writtenAt: number;
}

/**
 * Reads a state.
 *
 * @param remedy - What to do when it cannot be read.
 * @throws {UnreadableState} When it does not match the schema; also what R2 throws.
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

/** R2 accepts one write per second and key (R2, Limits); this leaves a margin. In milliseconds. */
export const WRITE_INTERVAL_MS = 1_100;

/** Whether R2 refused a write because the key was written within the last second (R2, Error codes). */
export function isWrittenTooOften(error: unknown): boolean {
  return error instanceof Error && error.message.includes('(10058)');
}

/**
 * Changes a state from the one that was last read or written, or creates it when there was none. Waits until a second
 * has passed since then, and once more when R2 refuses because another run has written meanwhile.
 *
 * Every object that is written more than once is written here, which is what keeps to R2's limit. Two consecutive
 * states have to differ, for instance in the name of the run, or their ETags would be equal.
 *
 * @returns The new state, or undefined when another run has changed it meanwhile and nothing was written.
 * @throws What R2 throws; it is then unknown whether the state was written.
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
  // Refused twice although this run waited: other runs write it continually.
  if (written === 'refused') return undefined;
  return written === null ? undefined : { value, etag: written.etag, writtenAt: clock.now() };
}
