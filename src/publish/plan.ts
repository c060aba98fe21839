/** Deciding what is due to be published. Pure. */

import { PARTITION_MS, partitionIn, startOf } from '../storage/keys.ts';
import type { Limits } from './limits.ts';

/** The properties of a listed `R2Object` that are used here. */
export interface LandedObject {
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  readonly uploaded: Date;
}

/** Landing objects of one partition, in key order, at most as many as fit into one part. */
export interface Group {
  readonly partition: string;
  readonly landed: readonly LandedObject[];
  readonly bytes: number;
  /** When the earliest of them landed, in milliseconds since 1970. */
  readonly oldest: number;
  /** Whether the partition has more than fits. */
  readonly full: boolean;
}

/**
 * Splits a listing of `landing/` into groups, skipping objects outside of a partition: this service did not write them.
 */
export function* groupsOf(
  listing: Iterable<LandedObject>,
  { partSourceBytes, partSources }: Pick<Limits, 'partSourceBytes' | 'partSources'>,
): Generator<Group> {
  let landed: LandedObject[] = [];
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
 * Whether a group is published now: when it is full, or when its oldest object has waited long enough. Around the end
 * of its hour it waits a little longer for the last rows, but not much longer for late ones.
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
 * Combines groups into waves that are published concurrently: each group of a different hour, within the limits on
 * their number and content, in their order.
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
