/** Finding the objects that are to be replayed. */

import { partitionOf } from '../../storage/keys.ts';
import type { ObjectStore } from '../object-store.ts';

/** Objects by name, or by the hours they are from; all of them when neither end of the time is given. */
export type Selection = { readonly keys: readonly string[] } | { readonly from?: Date; readonly to?: Date };

/**
 * Lists the keys of a selection below a prefix, in the order of time. An hour counts when any of its moments lies from
 * `from` on and before `to`.
 */
export async function* select(store: ObjectStore, prefix: string, selection: Selection): AsyncGenerator<string> {
  if ('keys' in selection) {
    yield* selection.keys;
    return;
  }
  const { from, to } = selection;
  const first = from && `${prefix}/${partitionOf(from)}`;
  // A moment before the end, so that an hour that begins just then stays out. Partitions sort like their times.
  const last = to && `${prefix}/${partitionOf(new Date(to.getTime() - 1))}/\uffff`;
  for await (const { key } of store.list(`${prefix}/`, first)) {
    if (last !== undefined && key > last) return;
    yield key;
  }
}
