/** Since when the oldest event in `landing/` has been waiting. */

import type { Bucket } from '../storage/bucket.ts';
import { LANDING_PARTITIONS, partitionIn, startOf } from '../storage/keys.ts';
import { listAll } from '../storage/many-objects.ts';

/** How many objects of one hour are examined; with more, the start of the hour is used instead. */
const MAX_OBJECTS = 5_000;

/**
 * A lower bound of the time of receipt of everything in `landing/`, in milliseconds since 1970: the first event of the
 * first hour that has objects left, according to their metadata. Objects outside of an hour were not written by this
 * service.
 */
export async function oldestLanded(bucket: Pick<Bucket, 'list'>): Promise<number> {
  let hour: string | undefined;
  let oldest = Number.POSITIVE_INFINITY;
  let objects = 0;
  for await (const { key, customMetadata } of listAll(bucket, {
    prefix: LANDING_PARTITIONS,
    include: ['customMetadata'],
  })) {
    const partition = partitionIn(key);
    if (partition === undefined) continue;
    hour ??= partition;
    if (partition !== hour) break;
    objects += 1;
    const first = Date.parse(customMetadata?.first_received_at ?? '');
    if (Number.isNaN(first) || objects > MAX_OBJECTS) return startOf(hour);
    oldest = Math.min(oldest, first);
  }
  return oldest;
}
