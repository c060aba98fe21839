/** Landing objects to one part: each event once, in the order in which they landed. */

import { IdSet } from '../storage/id-set.ts';
import { startOf } from '../storage/keys.ts';
import { linesOf, millisecondsOf, newEventIdWords, readEventId } from '../storage/line-bytes.ts';
import { openGzip } from './gzip.ts';
import type { Limits } from './limits.ts';
import { type PlannedPart, sourcesOf } from './manifest.ts';
import { Minutes } from './minutes.ts';
import { type PartFacts, RowFacts } from './part-facts.ts';
import type { Read, Source } from './read-in-order.ts';

/** A part that can be written. */
export interface Part {
  /** One gzip member. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Undefined when there are no rows. */
  readonly facts: PartFacts | undefined;
  /** How many of the sources are in it, from the first on. Fewer than all when the part is full before. */
  readonly sources: number;
  /** The event_ids of its rows. */
  readonly ids: IdSet;
  readonly minutes: Minutes;
  /** The landing objects that hold something else than lines of this hour. */
  readonly unreadable: readonly string[];
}

/**
 * Reads the sources of a part and packs their lines. The same sources give the same rows, as long as they are there;
 * one that is missing is passed over, because only what has been published is ever deleted.
 *
 * @param read - Reads objects in the order in which they are given.
 * @param published - Event_ids that are left out.
 */
export async function buildPart(
  read: (sources: readonly Source[]) => AsyncGenerator<Read>,
  planned: PlannedPart,
  published: IdSet,
  limits: Pick<Limits, 'sourceBytes' | 'partBytes'>,
): Promise<Part> {
  const hourStart = startOf(planned.partition);
  const sources = sourcesOf(planned);
  const readable = sources.filter(({ bytes }) => bytes <= limits.sourceBytes);
  const unreadable = sources.filter(({ bytes }) => bytes > limits.sourceBytes).map(({ key }) => key);

  const gzip = await openGzip();
  const ids = new IdSet();
  const minutes = new Minutes();
  const facts = new RowFacts();
  const id = newEventIdWords();
  let taken = sources.length;

  function placeOf(key: string): number {
    return sources.findIndex((source) => source.key === key);
  }

  /** Whether a line belongs into the part; undefined when it is no line of this hour. */
  function isNew(line: Uint8Array): boolean | undefined {
    if (!readEventId(line, id) || !minutes.add(millisecondsOf(id), hourStart)) return undefined;
    if (published.has(id) || !ids.add(id)) return false;
    facts.add(id, line);
    return true;
  }

  try {
    for await (const { key, body } of read(readable)) {
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
      if (gzip.bytes >= limits.partBytes) {
        taken = placeOf(key) + 1;
        break;
      }
    }
    const body = await gzip.finish();
    return {
      body,
      facts: await facts.of(body),
      sources: taken,
      ids,
      minutes,
      unreadable: unreadable.filter((key) => placeOf(key) < taken),
    };
  } catch (error) {
    gzip.abandon();
    throw error;
  }
}
