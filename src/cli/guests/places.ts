/** Where lines lie that may tell of a guest. */

import { timeOf } from '../../storage/event-id.ts';
import { EVENTS_PREFIX, REPLAYED } from '../../storage/keys.ts';
import { listHours, type TimeRange } from '../list-hours.ts';
import type { ReadableStore } from '../object-store.ts';

/**
 * The places in the order in which they are read: what is replayed meanwhile moves from the first ones to `landing/`, and
 * what is published from there to `events/`, so that it is met once at least. `parquet/` has the rows of `events/` once
 * more and is not read.
 */
export const PLACES = ['replayed', 'dead-letter', 'rejected', 'unreadable', 'landing', 'events'] as const;

/** One of {@link PLACES}. */
export type Place = (typeof PLACES)[number];

/** An object that has to be read. */
export interface SearchObject {
  readonly place: Place;
  readonly key: string;
  readonly bytes: number;
}

/** What their keys begin with, without a slash at the end. */
const PREFIXES: Readonly<Record<Place, string>> = {
  replayed: `${REPLAYED}dead-letter`,
  'dead-letter': 'dead-letter',
  rejected: 'rejected',
  unreadable: 'unreadable',
  landing: 'landing',
  events: EVENTS_PREFIX.slice(0, -1),
};

/**
 * Lists the objects that a search has to read. Hours outside of the range are left out, and parts that were published
 * before it.
 */
export async function* searchObjects(
  store: Pick<ReadableStore, 'list'>,
  range: TimeRange,
): AsyncGenerator<SearchObject> {
  for (const place of PLACES) {
    for await (const { key, bytes } of listHours(store, PREFIXES[place], range)) {
      if (place !== 'events' || !wasPublishedBefore(key, range)) yield { place, key, bytes };
    }
  }
}

/** Whether a part was named before a moment: all of its events were received before. */
function wasPublishedBefore(key: string, { from }: TimeRange): boolean {
  const name = /\/([\da-f-]{36})\.ndjson\.gz$/.exec(key)?.[1];
  return from !== undefined && name !== undefined && timeOf(name) < from;
}
