/** Work on many things, some at a time, that shows how far it is. */

import pMap from 'p-map';
import { showProgress } from './show-progress.ts';

/** How the work is done and shown. */
export interface Progression {
  /** What is being done, in a word or two. */
  readonly label: string;
  /** How many at a time. */
  readonly concurrency: number;
  /** Ends it before the next one. */
  readonly signal: AbortSignal;
  /** What is said beside the count of those that are done. */
  readonly remark?: () => string;
}

/** Maps items to what their work gives, in the order of the items. @throws What the first work throws that fails. */
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
