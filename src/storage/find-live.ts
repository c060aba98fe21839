/** Finding the part that holds the rows of a part now. */

import type { Bucket } from './bucket.ts';
import { eventsPrefix, partitionIn } from './keys.ts';
import { listAll } from './many-objects.ts';
import { listKeys, readLogEntry } from './part-log.ts';

/** How many names of 37 bytes fit into the 8,192 bytes of metadata (R2, Limits) beside everything else. */
const MAX_NAMES = 100;

/** The metadata of a part that replaces another: the names of the parts it stands for, the latest of them if too many. */
export function replacedBy(replaced: Pick<R2Object, 'key' | 'customMetadata'>): { readonly stands_for: string } {
  const names = [...namesIn(replaced.customMetadata), nameOf(replaced.key)];
  return { stands_for: names.slice(-MAX_NAMES).join(',') };
}

/**
 * Finds the part itself or, however often it was replaced, its replacement; undefined when there is none. Must be
 * called while nothing is being rewritten.
 */
export async function findLive(
  bucket: Pick<Bucket, 'get' | 'head' | 'list'>,
  key: string,
): Promise<R2Object | undefined> {
  const itself = await bucket.head(key);
  if (itself !== null) return itself;
  const prefix = eventsPrefix(partitionIn(key) ?? '');
  let isWhole = true;
  for await (const object of listAll(bucket, { prefix, include: ['customMetadata'] })) {
    const names = namesIn(object.customMetadata);
    if (names.includes(nameOf(key))) return object;
    isWhole &&= names.length < MAX_NAMES;
  }
  return isWhole ? undefined : ((await bucket.head(await lastLogged(bucket, key))) ?? undefined);
}

/** The last part that the log names in the place of a part, whatever the number of those in between. */
async function lastLogged(bucket: Pick<Bucket, 'get' | 'list'>, key: string): Promise<string> {
  let last = key;
  for await (const [sequence, each] of listKeys(bucket, 1, Number.POSITIVE_INFINITY)) {
    if (partitionIn(each) !== partitionIn(key)) continue;
    if ((await readLogEntry(bucket, sequence))?.replaces === last) last = each;
  }
  return last;
}

/** Reads a part or, however often it was replaced, its replacement; undefined when there is none. */
export async function readLive(
  bucket: Pick<Bucket, 'get' | 'head' | 'list'>,
  key: string,
): Promise<R2ObjectBody | undefined> {
  for (let live: string | undefined = key; live !== undefined; live = (await findLive(bucket, key))?.key) {
    const object = await bucket.get(live);
    // Otherwise another run has replaced it since it was found.
    if (object !== null) return object;
  }
  return undefined;
}

function namesIn(customMetadata: Readonly<Record<string, string>> | undefined): string[] {
  return customMetadata?.stands_for?.split(',') ?? [];
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1, -'.ndjson.gz'.length);
}
