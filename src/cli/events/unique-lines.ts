/** `show`: the lines of objects, each event once. */

import { IdSet } from '../../storage/id-set.ts';
import { linesOfBlock, millisecondsOf, newEventIdWords, readEventId } from '../../storage/line-bytes.ts';
import type { TimeRange } from '../list-hours.ts';
import type { ReadableStore } from '../object-store.ts';
import { DamagedObject, storedLines } from '../stored-lines.ts';

/**
 * Reads the lines of a range from objects, in blocks, and skips events that it has already returned.
 *
 * @param onOther - Called with the key of an object that holds something other than events, which is skipped.
 */
export async function* uniqueLines(
  store: Pick<ReadableStore, 'get'>,
  keys: AsyncIterable<string>,
  { from, to }: TimeRange,
  onOther: (key: string) => void,
): AsyncGenerator<Buffer> {
  const given = new IdSet();
  const id = newEventIdWords();
  const first = from?.getTime() ?? Number.NEGATIVE_INFINITY;
  const end = to?.getTime() ?? Number.POSITIVE_INFINITY;
  for await (const key of keys) {
    let isWhole = true;
    try {
      const body = await store.get(key);
      // An object of landing/ that was published after it was listed is read in events/.
      if (body === undefined) continue;
      for await (const block of storedLines(key, body)) {
        const lines: Uint8Array[] = [];
        for (const line of linesOfBlock(block)) {
          if (!readEventId(line, id)) isWhole = false;
          else if (millisecondsOf(id) >= first && millisecondsOf(id) < end && given.add(id)) lines.push(line);
        }
        yield Buffer.concat(lines);
      }
    } catch (error) {
      if (!(error instanceof DamagedObject)) throw error;
      isWhole = false;
    }
    if (!isWhole) onOther(key);
  }
}
