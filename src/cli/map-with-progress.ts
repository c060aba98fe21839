/** Processes items concurrently and shows the progress. */

import pMap from 'p-map';
import { showProgress } from './show-progress.ts';

export interface Progression {
  /** What is being done, in a word or two. */
  readonly label: string;
  /** Items that are processed concurrently. */
  readonly concurrency: number;
  /** Stops before the next item. */
  readonly signal: AbortSignal;
  /** Text shown beside the count of processed items. */
  readonly remark?: () => string;
}

/** Maps items to the results of their work, in order. @throws The first error of any work. */
export async function mapWithProgress<Item, Value>(
  items: readonly Item[],
  work: (item: Item) => Promise<Value>,
  { label, concurrency, signal, remark }: Progression,
): Promise<Value[]> {
  const progress = showProgress(label, items.length);
  let done = 0;
  const values = await pMap(
    items,
    async (item) => {
      const value = await work(item);
      done += 1;
      progress.update(done, remark?.());
      return value;
    },
    { concurrency, signal },
  );
  if (items.length > 0) progress.end();
  return values;
}
