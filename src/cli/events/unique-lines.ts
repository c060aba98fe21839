/** The lines of objects, each event once. */

import { gunzipSync } from 'node:zlib';
import { IdSet } from '../../storage/id-set.ts';
import { linesOfBlock, millisecondsOf, newEventIdWords, readEventId } from '../../storage/line-bytes.ts';
import type { TimeRange } from '../list-hours.ts';

/** What an object holds. */
export interface FoundLines {
  /** The lines of the range that no object before it had. */
  readonly lines: readonly Uint8Array[];
  /** Whether it holds nothing but events. */
  readonly isWhole: boolean;
}

/**
 * Starts with no line given.
 *
 * @returns What finds the lines of one object after the other; the ending of a key says whether it is compressed.
 */
export function uniqueLines({ from, to }: TimeRange): (key: string, body: Uint8Array) => FoundLines {
  const given = new IdSet();
  const id = newEventIdWords();
  const first = from?.getTime() ?? Number.NEGATIVE_INFINITY;
  const end = to?.getTime() ?? Number.POSITIVE_INFINITY;
  return (key, body) => {
    const text = unpacked(key, body);
    const lines: Uint8Array[] = [];
    let isWhole = text !== undefined;
    for (const line of linesOfBlock(text ?? new Uint8Array())) {
      if (!readEventId(line, id)) {
        isWhole = false;
        continue;
      }
      const time = millisecondsOf(id);
      if (time >= first && time < end && given.add(id)) lines.push(line);
    }
    return { lines, isWhole };
  };
}

/** The bytes of the lines; undefined when the object cannot be decompressed. */
function unpacked(key: string, body: Uint8Array): Uint8Array | undefined {
  if (!key.endsWith('.gz')) return body;
  try {
    return gunzipSync(body);
  } catch {
    return undefined;
  }
}
