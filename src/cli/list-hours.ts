/** Finding objects by the hour they are from. */

import { PARTITION_MS, partitionIn, partitionOf, startOf } from '../storage/keys.ts';
import type { StoredObject } from './object-store/xml.ts';
import type { ReadableStore } from './object-store.ts';

const DAY_MS = 86_400_000;

/** From `from` on and before `to`; an end that is not given is open. */
export interface TimeRange {
  readonly from?: Date;
  readonly to?: Date;
}

/** Whether any moment of a partition lies in a range. */
export function overlaps({ from, to }: TimeRange, partition: string): boolean {
  const start = startOf(partition);
  return (from === undefined || start + PARTITION_MS > from.getTime()) && (to === undefined || start < to.getTime());
}

/** Whether any moment of a day, `YYYY-MM-DD` in UTC, lies in a range. */
export function overlapsDay({ from, to }: TimeRange, day: string): boolean {
  const start = Date.parse(day);
  return (from === undefined || start + DAY_MS > from.getTime()) && (to === undefined || start < to.getTime());
}

/**
 * Lists the objects of a prefix that lie in an hour, in the order of time. An hour counts when any of its moments lies
 * in the range.
 *
 * @param prefix - Without a slash at the end.
 */
export async function* listHours(
  store: Pick<ReadableStore, 'list'>,
  prefix: string,
  { from, to }: TimeRange,
): AsyncGenerator<StoredObject> {
  const first = from && `${prefix}/${partitionOf(from)}`;
  // A moment before the end, so that an hour that begins just then stays out. Partitions sort like their times.
  const last = to && `${prefix}/${partitionOf(new Date(to.getTime() - 1))}/\uffff`;
  for await (const object of store.list(`${prefix}/`, first)) {
    if (last !== undefined && object.key > last) return;
    if (partitionIn(object.key) !== undefined) yield object;
  }
}
