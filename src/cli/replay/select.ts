/** Finding the objects that are to be replayed. */

import { listHours, type TimeRange } from '../list-hours.ts';
import type { ObjectStore } from '../object-store.ts';

/** What the keys of refused bodies begin with. */
export const REJECTED = 'rejected/';

/** Objects by name, or by the hours they are from; all of them when neither end of the time is given. */
export type Selection = { readonly keys: readonly string[] } | TimeRange;

/** Lists the keys of a selection, in the order of time. */
export async function* select(store: ObjectStore, selection: Selection): AsyncGenerator<string> {
  if ('keys' in selection) {
    yield* selection.keys;
    return;
  }
  for await (const { key } of listHours(store, REJECTED.slice(0, -1), selection)) yield key;
}
