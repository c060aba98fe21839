/**
 * What runs remember: small objects of JSON, each changed only from the state that was read (compare and swap
 * by ETag), so that of several runs one goes on and the others see it.
 */

import * as v from 'valibot';

/** An object as it was read. */
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
 * @throws When it is not what the schema says, and what R2 throws.
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
  if (!parsed.success) throw new Error(`Cannot read ${key}: it is not what this service writes there; ${remedy}`);
  return { value: parsed.output, etag: object.etag, writtenAt: object.uploaded.getTime() };
}

/**
 * Changes an object from the state that has `etag`, or creates it when that is undefined.
 *
 * @returns The new ETag, or undefined when another run has changed it meanwhile and nothing is written.
 */
export async function writeState(
  bucket: Pick<R2Bucket, 'put'>,
  key: string,
  value: object,
  etag: string | undefined,
): Promise<string | undefined> {
  const written = await bucket.put(key, JSON.stringify(value), {
    onlyIf: etag === undefined ? { etagDoesNotMatch: '*' } : { etagMatches: etag },
    httpMetadata: { contentType: 'application/json' },
  });
  return written?.etag;
}
