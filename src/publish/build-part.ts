/** Landing objects to one part: each event once, in the order in which they landed. */

import { IdSet } from '../storage/id-set.ts';
import { startOf } from '../storage/keys.ts';
import {
  type EventIdWords,
  formatEventId,
  isBefore,
  linesOf,
  millisecondsOf,
  newEventIdWords,
  readEventId,
} from '../storage/line-bytes.ts';
import type { Bucket } from './bucket.ts';
import { openGzip } from './gzip.ts';
import { type Journal, sourceKeys } from './journal.ts';
import { PART_BYTES, SOURCE_BYTES } from './limits.ts';
import { Minutes } from './minutes.ts';
import { readInOrder, type Source } from './read-in-order.ts';

/** A part that can be written. */
export interface Part {
  /** One gzip member. */
  readonly body: Uint8Array<ArrayBuffer>;
  readonly rows: number;
  /** How many of the sources are in it, from the first on. Fewer than all when the part is full before. */
  readonly sources: number;
  /** The event_ids of its rows. */
  readonly ids: IdSet;
  readonly minutes: Minutes;
  /** The lowest and the highest event_id; undefined when there are no rows. */
  readonly first: string | undefined;
  readonly last: string | undefined;
  /** The landing objects that hold something else than lines of this hour. */
  readonly unreadable: readonly string[];
}

/**
 * Reads the sources of a journal and packs their lines. The same journal gives the same rows, as long as its sources
 * are there; one that is missing is passed over, because only what has been published is ever deleted.
 *
 * @param published - Event_ids that are left out.
 */
export async function buildPart(bucket: Pick<Bucket, 'get'>, journal: Journal, published: IdSet): Promise<Part> {
  const hourStart = startOf(journal.partition);
  const keys = sourceKeys(journal, journal.sources.length);
  const sources = keys.map((key, at): Source => ({ key, bytes: journal.sources[at]?.[1] ?? 0 }));
  const readable = sources.filter(({ bytes }) => bytes <= SOURCE_BYTES);
  const unreadable = sources.filter(({ bytes }) => bytes > SOURCE_BYTES).map(({ key }) => key);

  const gzip = await openGzip();
  const ids = new IdSet();
  const minutes = new Minutes();
  const id = newEventIdWords();
  let first: EventIdWords | undefined;
  let last: EventIdWords | undefined;
  let taken = sources.length;

  /** Whether a line belongs into the part; undefined when it is no line of this hour. */
  function isNew(line: Uint8Array): boolean | undefined {
    if (!readEventId(line, id) || !minutes.add(millisecondsOf(id), hourStart)) return undefined;
    if (published.has(id) || !ids.add(id)) return false;
    if (first === undefined || isBefore(id, first)) first = id.slice() as EventIdWords;
    if (last === undefined || isBefore(last, id)) last = id.slice() as EventIdWords;
    return true;
  }

  try {
    for await (const { key, body } of readInOrder(bucket, readable)) {
      if (body === undefined) continue;
      let kept = 0;
      let at = 0;
      for (const line of linesOf(body)) {
        const wanted = isNew(line);
        if (wanted === undefined && unreadable.at(-1) !== key) unreadable.push(key);
        if (wanted !== true) {
          // What stands before it goes out in one piece.
          if (kept < at) await gzip.write(body.subarray(kept, at));
          kept = at + line.length;
        }
        at += line.length;
      }
      if (kept < at) await gzip.write(body.subarray(kept, at));
      if (gzip.bytes >= PART_BYTES) {
        taken = keys.indexOf(key) + 1;
        break;
      }
    }
    return {
      body: await gzip.finish(),
      rows: ids.size,
      sources: taken,
      ids,
      minutes,
      first: first && formatEventId(first),
      last: last && formatEventId(last),
      unreadable: unreadable.filter((key) => keys.indexOf(key) < taken),
    };
  } catch (error) {
    gzip.abandon();
    throw error;
  }
}
