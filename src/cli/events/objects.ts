/** Which objects hold the events that are asked for. */

import { EVENTS_PREFIX } from '../../storage/keys.ts';
import { listHours, type TimeRange } from '../list-hours.ts';
import type { StoredObject } from '../object-store/xml.ts';
import type { ObjectStore } from '../object-store.ts';
import type { SourceChoice } from './events-options.ts';

/** What the keys of each kind of object begin with. */
const PREFIXES = { landing: 'landing', events: EVENTS_PREFIX.slice(0, -1) };

/**
 * The kinds of object behind a source. Landing comes first: an event that is published meanwhile moves from there to
 * `events/`, so a reader in this order meets it at least once.
 */
export function kindsOf(source: SourceChoice): readonly (keyof typeof PREFIXES)[] {
  return source === 'both' ? ['landing', 'events'] : [source];
}

/** Lists the objects of one kind, in the order of time. */
export function listObjects(
  store: ObjectStore,
  kind: keyof typeof PREFIXES,
  range: TimeRange,
): AsyncGenerator<StoredObject> {
  return listHours(store, PREFIXES[kind], range);
}
