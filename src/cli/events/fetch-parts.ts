/** Parts that the table does not have yet. */

import { join } from 'node:path';
import pMap from 'p-map';
import { overlaps, type TimeRange } from '../list-hours.ts';
import type { ReadableStore } from '../object-store.ts';
import { fetchObject } from './fetch-object.ts';
import { readLog, standing } from './published-log.ts';

/** How many parts are copied at once. */
const COPIES = 8;

/**
 * Copies the parts that the log names behind a sequence.
 *
 * @returns Their paths.
 * @throws When one of them is not there any more: it was replaced after the log was read.
 */
export async function fetchParts(
  store: ReadableStore,
  folder: string,
  after: number,
  range: TimeRange,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { entries } = await readLog(store, after, signal);
  const parts = [...standing(entries).values()].filter(({ partition }) => overlaps(range, partition));
  return pMap(
    parts,
    async (entry) => {
      if ((await fetchObject(store, folder, entry)) !== 'gone') return join(folder, entry.key);
      throw new Error(`Cannot read ${entry.key}: it has been replaced a moment ago; ask again`);
    },
    { concurrency: COPIES, signal },
  );
}
