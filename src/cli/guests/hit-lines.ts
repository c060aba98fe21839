/** The lines that a search has found, read again: the file of a search holds no value. */

import type { ReadableStore } from '../object-store.ts';
import type { Hit } from './checkpoint.ts';
import { readLines } from './read-lines.ts';

/** Reads them, object by object. One that is gone was published or deleted meanwhile, and is passed over. */
export async function* readHits(
  store: Pick<ReadableStore, 'read'>,
  hits: readonly Hit[],
): AsyncGenerator<{ readonly hit: Hit; readonly text: string }> {
  for (const [key, inObject] of Map.groupBy(hits, (hit) => hit.key)) {
    const lines = new Map(inObject.map((hit) => [hit.line, hit]));
    for await (const { number, text } of (await readLines(store, key)) ?? []) {
      const hit = lines.get(number);
      if (hit !== undefined) yield { hit, text };
      // What is damaged behind the last of them is none of this.
      lines.delete(number);
      if (lines.size === 0) break;
    }
  }
}
