/** The lines of an object. */

import type { ObjectStore } from '../object-store.ts';

/**
 * Reads an object of NDJSON.
 *
 * @returns Its lines without their ends.
 * @throws When there is no object of that name.
 */
export async function readObjectLines(store: Pick<ObjectStore, 'get'>, key: string): Promise<string[]> {
  const bytes = await store.get(key);
  if (bytes === undefined)
    throw new Error(`Cannot replay ${key}: there is no such object; list the bucket for its name`);
  return new TextDecoder()
    .decode(bytes)
    .split('\n')
    .filter((line) => line !== '');
}
