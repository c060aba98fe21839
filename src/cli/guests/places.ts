/** The places in the bucket that may hold a guest's data. */

import { MAX_KEPT_DAYS } from '../../storage/erasure.ts';
import { DAY_MS, EVENTS_PREFIX } from '../../storage/keys.ts';
import { listHours, type TimeRange } from '../list-hours.ts';
import type { StoredObject } from '../object-store/xml.ts';
import type { ReadableStore } from '../object-store.ts';

/**
 * The places, in the order in which they are read. A replay moves lines from the first ones to `landing/`, and the
 * publisher moves them from there to `events/`, so this order meets every line at least once. What is derived from
 * `events/` repeats its rows and is not read.
 */
export const PLACES = ['dead-letter', 'rejected', 'unreadable', 'landing', 'events'] as const;

export type Place = (typeof PLACES)[number];

/** An object that a search has to read. */
export interface SearchObject extends StoredObject {
  readonly place: Place;
}

/** Lists the objects that a search has to read, without hours outside of the range. */
export async function* searchObjects(
  store: Pick<ReadableStore, 'list'>,
  range: TimeRange,
): AsyncGenerator<SearchObject> {
  for (const place of PLACES) {
    for await (const object of listHours(store, place === 'events' ? EVENTS_PREFIX.slice(0, -1) : place, range)) {
      yield { place, ...object };
    }
  }
}

/** Days until an unpublished object is gone: R2 deletes it within a day after it expires (R2, Object lifecycles). */
const GONE_AFTER_DAYS = MAX_KEPT_DAYS + 1;

/** The day, `YYYY-MM-DD`, by which an object of `rejected/`, `dead-letter/` or `unreadable/` is gone. */
export function goneOn(modified: Date): string {
  return new Date(modified.getTime() + GONE_AFTER_DAYS * DAY_MS).toISOString().slice(0, 10);
}
