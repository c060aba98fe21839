/** Lists objects by hour. */

import { DAY_MS, PARTITION_MS, partitionIn, partitionOf, startOf } from '../storage/keys.ts';
import type { StoredObject } from './object-store/xml.ts';
import type { ReadableStore } from './object-store.ts';

/** From `from` (inclusive) to `to` (exclusive); a missing end is open. */
export interface TimeRange {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export function overlaps({ from, to }: TimeRange, partition: string): boolean {
  const start = startOf(partition);
  return (from === undefined || start + PARTITION_MS > from.getTime()) && (to === undefined || start < to.getTime());
}

/** Whether a day, `YYYY-MM-DD` in UTC, overlaps a range. */
export function overlapsDay({ from, to }: TimeRange, day: string): boolean {
  const start = Date.parse(day);
  return (from === undefined || start + DAY_MS > from.getTime()) && (to === undefined || start < to.getTime());
}

/**
 * Lists the objects under a prefix whose hour overlaps a range, in order of time.
 *
 * @param prefix - Without a trailing slash.
 */
export async function* listHours(
  store: Pick<ReadableStore, 'list'>,
  prefix: string,
  { from, to }: TimeRange,
): AsyncGenerator<StoredObject> {
  const first = from && `${prefix}/${partitionOf(from)}`;
  // A millisecond before the exclusive end, so that the hour beginning there is left out. Partitions sort by time.
  const last = to && `${prefix}/${partitionOf(new Date(to.getTime() - 1))}/\uffff`;
  for await (const object of store.list(`${prefix}/`, first)) {
    if (last !== undefined && object.key > last) return;
    if (partitionIn(object.key) !== undefined) yield object;
  }
}
