/** Finding which events of a part were published before. */

import type { Bucket } from '../storage/bucket.ts';
import { IdSet } from '../storage/id-set.ts';
import { eventsPrefix } from '../storage/keys.ts';
import { listAll } from '../storage/many-objects.ts';
import { visitRecords } from '../storage/unpacked-lines.ts';
import type { Part } from './build-part.ts';
import type { PlannedPart } from './manifest.ts';
import { mayShare } from './minutes.ts';

/**
 * Looks for the events of a part in the other parts of its hour. Only parts that share a minute with it are read, as a
 * stream, so memory grows only with the repeats found.
 */
export async function findPublished(
  bucket: Pick<Bucket, 'get' | 'list'>,
  { partition, output }: PlannedPart,
  { ids, facts }: Pick<Part, 'ids' | 'facts'>,
): Promise<IdSet> {
  const found = new IdSet();
  const read = new Set<string>();
  for (let isWhole = false; !isWhole; ) {
    isWhole = true;
    for await (const { key, customMetadata } of listAll(bucket, {
      prefix: eventsPrefix(partition),
      include: ['customMetadata'],
    })) {
      if (key === output || read.has(key) || !mayShare(facts?.minutes ?? '', customMetadata?.minutes)) continue;
      const object = await bucket.get(key);
      // It was replaced by another part after the listing: the next listing has that one.
      isWhole &&= object !== null;
      if (object === null) continue;
      read.add(key);
      await visitRecords(object.body, (id) => {
        if (ids.has(id)) found.add(id);
      });
    }
  }
  return found;
}
