/** Events that were published behind the watermark, for which its promise did not hold. */

import * as v from 'valibot';
import { DeadLetterSchema } from '../storage/dead-letter.ts';
import { timeOf } from '../storage/event-id.ts';
import { eventIdOf, isLine } from '../storage/line.ts';
import { formatEventId, linesOf, millisecondsOf, newEventIdWords, readEventId } from '../storage/line-bytes.ts';
import { listAll } from '../storage/list-all.ts';
import type { LogEntry } from '../storage/log-entry.ts';
import { readLogEntry } from '../storage/part-log.ts';
import { unpackedLines } from '../storage/unpacked-lines.ts';
import type { Bucket } from './bucket.ts';

/** What has been published since the watermark was written. */
export interface Since {
  /** The last sequence of the log. */
  readonly sequence: number;
  /** How many events were received before the watermark. */
  readonly late: number;
  /** When the last part with such an event was committed; null when there is none. */
  readonly lastLateAt: string | null;
}

/**
 * How far the clock of the run that named a part may be behind the one that wrote the watermark, in milliseconds. A part
 * that was named before the watermark was written is made of what was in `landing/` by then, which the watermark respects.
 */
const CLOCKS_APART_MS = 5 * 60_000;

/**
 * Reads the log from a sequence on, and looks for late events in the parts.
 *
 * @param complete - The watermark, and when it was written; both in milliseconds since 1970.
 */
export async function publishedSince(
  bucket: Pick<Bucket, 'get' | 'list'>,
  sequence: number,
  complete: { readonly through: number; readonly writtenAt: number },
): Promise<Since> {
  let [last, late] = [sequence, 0];
  let lastLateAt: string | null = null;
  for (;;) {
    const entry = await readLogEntry(bucket, last + 1);
    if (entry === undefined) return { sequence: last, late, lastLateAt };
    last = entry.sequence;
    const events = mayBeLate(entry, complete) ? await countLate(bucket, entry, complete.through) : 0;
    if (events > 0) lastLateAt = entry.committed_at;
    late += events;
  }
}

function mayBeLate(
  { operation, key, first_received_at }: LogEntry,
  { through, writtenAt }: { readonly through: number; readonly writtenAt: number },
): boolean {
  const namedAt = timeOf(key.slice(key.lastIndexOf('/') + 1)).getTime();
  return operation === 'add' && Date.parse(first_received_at) < through && namedAt > writtenAt - CLOCKS_APART_MS;
}

/** Counts the events before a moment. One that is in `dead-letter/` was replayed, and was never promised. */
async function countLate(
  bucket: Pick<Bucket, 'get' | 'list'>,
  { key, partition }: LogEntry,
  through: number,
): Promise<number> {
  const late = new Set<string>();
  const id = newEventIdWords();
  const object = await bucket.get(key);
  if (object === null) return 0;
  for await (const block of unpackedLines(object.body)) {
    for (const line of linesOf(block)) {
      if (readEventId(line, id) && millisecondsOf(id) < through) late.add(formatEventId(id));
    }
  }
  if (late.size === 0) return 0;
  for await (const letters of listAll(bucket, { prefix: `dead-letter/${partition}/` })) {
    for (const eventId of await eventIdsIn(bucket, letters.key)) late.delete(eventId);
  }
  return late.size;
}

async function eventIdsIn(bucket: Pick<Bucket, 'get'>, key: string): Promise<string[]> {
  const text = (await (await bucket.get(key))?.text()) ?? '';
  return text
    .split('\n')
    .map((line) => v.safeParse(v.pipe(v.string(), v.parseJson(), DeadLetterSchema), line))
    .flatMap(({ success, output }) => (success && isLine(output.body) ? [eventIdOf(output.body)] : []));
}
