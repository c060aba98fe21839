/** Counts rows and refusals by sender and hour from the metadata of objects. Pure. */

import { readCounts } from '../storage/counts.ts';
import { readRefusals } from '../storage/rejection-facts.ts';
import type { ByHour, Reason, RefusedObject } from './answer.ts';
import type { Listed, Recent } from './recent.ts';

/** Counts the rows of each sender in the objects of each hour, and under `*` those of senders that did not fit. */
export function countRows(recents: readonly Recent[]): Map<string, ByHour> {
  const hours = recents[0]?.objects.length ?? 0;
  const counts = new Map<string, number[]>();
  for (const { objects } of recents) {
    for (const [hour, listed] of objects.entries()) {
      for (const [sender, count] of listed.flatMap(({ customMetadata }) => [...readCounts(customMetadata?.senders)])) {
        const row = counts.get(sender) ?? new Array<number>(hours).fill(0);
        row[hour] = (row[hour] ?? 0) + count;
        counts.set(sender, row);
      }
    }
  }
  return counts;
}

/** The refused bodies of all senders, or of `only` one, newest object first. */
export function refusedObjects({ objects }: Recent, only: string | undefined): RefusedObject[] {
  return objects
    .flatMap((listed) => listed.toReversed())
    .flatMap(refusedIn)
    .filter(({ sender }) => only === undefined || sender === only);
}

function refusedIn({ key, customMetadata = {} }: Listed): RefusedObject[] {
  const { senders, refusals, first_at = '', last_at = '' } = customMetadata;
  const counts = readRefusals(refusals);
  return Array.from(readCounts(senders), ([sender, bodies]) => {
    const reasons = counts.filter((count) => count.sender === sender).map(({ sender: _, ...reason }) => reason);
    return { key, sender, first_at, last_at, bodies, reasons };
  });
}

/** Sums up the reasons for refusals, most frequent first. */
export function sumReasons(objects: readonly RefusedObject[]): Reason[] {
  const sums = new Map<string, Reason>();
  for (const reason of objects.flatMap(({ reasons }) => reasons)) {
    const key = `${reason.problem} ${reason.reason} ${reason.fault}`;
    sums.set(key, { ...reason, count: reason.count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()].sort((left, right) => right.count - left.count);
}
