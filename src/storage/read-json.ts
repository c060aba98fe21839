/** Reading small objects of JSON. */

import * as v from 'valibot';

/**
 * Reads an object.
 *
 * @returns What it says, or null when there is no such object.
 * @throws When it is not what the schema says, and what R2 throws.
 */
export async function readJson<Value>(
  bucket: Pick<R2Bucket, 'get'>,
  key: string,
  schema: v.GenericSchema<unknown, Value>,
): Promise<Value | null> {
  const object = await bucket.get(key);
  if (object === null) return null;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), await object.text());
  if (parsed.success) return parsed.output;
  throw new Error(`Cannot read ${key}: it is not what this service writes there; delete it to have it made anew`);
}
