/** Where lines lie that a guest may be in. */

import { MAX_KEPT_DAYS } from '../../storage/erasure.ts';
import { timeOf } from '../../storage/event-id.ts';
import { EVENTS_PREFIX } from '../../storage/keys.ts';
import { listHours, type TimeRange } from '../list-hours.ts';
import type { StoredObject } from '../object-store/xml.ts';
import type { ReadableStore } from '../object-store.ts';

/**
 * The places in the order in which they are read: what is replayed meanwhile moves from the first ones to `landing/`, and
 * what is published from there to `events/`, so that it is met once at least. What is made of `events/` has its rows once
 * more and is not read.
 */
export const PLACES = ['dead-letter', 'rejected', 'unreadable', 'landing', 'events'] as const;

export type Place = (typeof PLACES)[number];

/** An object that has to be read. */
export interface SearchObject extends StoredObject {
  readonly place: Place;
}

/**
 * Lists the objects that a search has to read. Hours outside of the range are left out, and parts that were published
 * before it.
 */
export async function* searchObjects(
  store: Pick<ReadableStore, 'list'>,
  range: TimeRange,
): AsyncGenerator<SearchObject> {
  for (const place of PLACES) {
    for await (const object of listHours(store, place === 'events' ? EVENTS_PREFIX.slice(0, -1) : place, range)) {
      if (place !== 'events' || !wasPublishedBefore(object.key, range)) yield { place, ...object };
    }
  }
}

/** Whether a part was named before a moment: all of its events were received before. */
function wasPublishedBefore(key: string, { from }: TimeRange): boolean {
  const name = /\/([\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12})\.ndjson\.gz$/.exec(key)?.[1];
  return from !== undefined && name !== undefined && timeOf(name) < from;
}

/** When what is not published is gone, in days: it expires, and R2 deletes it within another day (R2, Object lifecycles). */
const GONE_AFTER_DAYS = MAX_KEPT_DAYS + 1;

/** The day, `YYYY-MM-DD`, on which an object of `rejected/`, `dead-letter/` or `unreadable/` is gone at the latest. */
export function goneOn(modified: Date): string {
  return new Date(modified.getTime() + GONE_AFTER_DAYS * 86_400_000).toISOString().slice(0, 10);
}
