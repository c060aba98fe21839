/** What is due to be published. Pure. */

import { PARTITION_MS, partitionIn, startOf } from '../storage/keys.ts';
import type { Limits } from './limits.ts';

/** An object of `landing/` as it is listed; an R2Object is one. */
export interface Landed {
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  readonly uploaded: Date;
}

/** Landing objects of one partition, in the order of their keys, no more than fit into one part. */
export interface Group {
  readonly partition: string;
  readonly landed: readonly Landed[];
  readonly bytes: number;
  /** When the first of them landed, in milliseconds since 1970. */
  readonly oldest: number;
  /** Whether the partition has more than fits. */
  readonly full: boolean;
}

/** Cuts a listing of `landing/` into groups. Objects outside of a partition were not written by this service and are left alone. */
export function* groupsOf(
  listing: Iterable<Landed>,
  { partSourceBytes, partSources }: Pick<Limits, 'partSourceBytes' | 'partSources'>,
): Generator<Group> {
  let landed: Landed[] = [];
  let partition = '';
  let bytes = 0;
  const group = (full: boolean): Group => {
    const oldest = landed.reduce((earliest, { uploaded }) => Math.min(earliest, uploaded.getTime()), Infinity);
    return { partition, landed, bytes, oldest, full };
  };
  for (const object of listing) {
    const next = partitionIn(object.key);
    if (next === undefined) continue;
    const full = bytes + object.size > partSourceBytes || landed.length === partSources;
    if (landed.length > 0 && (full || next !== partition)) {
      yield group(full && next === partition);
      landed = [];
      bytes = 0;
    }
    partition = next;
    landed.push(object);
    bytes += object.size;
  }
  if (landed.length > 0) yield group(false);
}

/**
 * Whether a group is published now: when it is full, or when its oldest object has waited long enough. Around the end of
 * its hour it waits a little longer for the last rows, and then not much longer for late ones.
 *
 * @param now - Milliseconds since 1970.
 */
export function isDue(
  { partition, oldest, full }: Group,
  now: number,
  { publishAfterMs, lastRowsMs, settleMs }: Pick<Limits, 'publishAfterMs' | 'lastRowsMs' | 'settleMs'>,
): boolean {
  if (full) return true;
  const end = startOf(partition) + PARTITION_MS;
  const waited = oldest + publishAfterMs;
  const together = waited < end ? waited : Math.max(waited, end + lastRowsMs);
  return now >= Math.min(together, Math.max(oldest, end) + settleMs);
}

/**
 * Puts groups together that are published at once: each of another hour, no more of them and no more in them than the
 * limits allow, and in their order.
 */
export function* wavesOf(
  groups: Iterable<Group>,
  { hoursAtOnce, hoursAtOnceBytes, partSources }: Pick<Limits, 'hoursAtOnce' | 'hoursAtOnceBytes' | 'partSources'>,
): Generator<Group[]> {
  let wave: Group[] = [];
  for (const group of groups) {
    const all = [...wave, group];
    const fits =
      all.length <= hoursAtOnce &&
      wave.every(({ partition }) => partition !== group.partition) &&
      sum(all.map(({ bytes }) => bytes)) <= hoursAtOnceBytes &&
      sum(all.map(({ landed }) => landed.length)) <= partSources;
    if (wave.length > 0 && !fits) {
      yield wave;
      wave = [];
    }
    wave.push(group);
  }
  if (wave.length > 0) yield wave;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
