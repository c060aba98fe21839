/** The columnar objects that have the rows of parts once more. */

import { parquetPrefix } from '../../storage/keys.ts';
import type { ReadableStore } from '../object-store.ts';
import type { Hit } from './checkpoint.ts';
import { dayOf } from './tell-found.ts';

/** Lists those of the days of events that were found, by day. */
export async function columnarObjects(
  store: Pick<ReadableStore, 'list'>,
  hits: readonly Hit[],
): Promise<Map<string, string[]>> {
  const days = new Set(hits.filter(({ place }) => place === 'events').map(({ key }) => dayOf(key)));
  const found = new Map<string, string[]>();
  // One listing for all days of a regular guest would take longer than one for each.
  for (const day of days) {
    const keys = (await Array.fromAsync(store.list(parquetPrefix(day)))).map(({ key }) => key);
    if (keys.length > 0) found.set(day, keys);
  }
  return found;
}
