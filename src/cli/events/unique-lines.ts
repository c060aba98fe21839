/** The lines of objects, each event once. */

import { gunzipSync } from 'node:zlib';
import { IdSet } from '../../storage/id-set.ts';
import { linesOf, millisecondsOf, newEventIdWords, readEventId } from '../../storage/line-bytes.ts';
import type { TimeRange } from '../list-hours.ts';

/** Gives the lines of one object after the other that have not been given before. */
export interface UniqueLines {
  /**
   * @param key - What the object is called; its ending says whether it is compressed.
   * @throws When it holds something else than lines of ours.
   */
  of(key: string, body: Uint8Array): Generator<Uint8Array>;
}

/** Starts with no line given. Lines outside the range are left out. */
export function uniqueLines({ from, to }: TimeRange): UniqueLines {
  const given = new IdSet();
  const id = newEventIdWords();
  const first = from?.getTime() ?? Number.NEGATIVE_INFINITY;
  const end = to?.getTime() ?? Number.POSITIVE_INFINITY;
  return {
    *of(key, body) {
      for (const line of linesOf(key.endsWith('.gz') ? gunzipSync(body) : body)) {
        if (!readEventId(line, id)) {
          throw new Error(`Cannot read ${key}: it holds something else than events; look at it and move it away`);
        }
        const time = millisecondsOf(id);
        if (time >= first && time < end && given.add(id)) yield line;
      }
    },
  };
}
