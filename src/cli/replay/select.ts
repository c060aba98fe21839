/** Finding the objects that are to be replayed. */

import { listHours, type TimeRange } from '../list-hours.ts';
import type { ObjectStore } from '../object-store.ts';

/** Objects by name, or by the hours they are from; all of them when neither end of the time is given. */
export type Selection = { readonly keys: readonly string[] } | TimeRange;

/** Lists the keys of a selection below a prefix, in the order of time. */
export async function* select(store: ObjectStore, prefix: string, selection: Selection): AsyncGenerator<string> {
  if ('keys' in selection) {
    yield* selection.keys;
    return;
  }
  for await (const { key } of listHours(store, prefix, selection)) yield key;
}
