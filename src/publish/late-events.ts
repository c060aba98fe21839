/** Events that were published behind the watermark, for which its promise did not hold. */

import { timeOf } from '../storage/event-id.ts';
import { millisecondsOf } from '../storage/line-bytes.ts';
import type { LogEntry } from '../storage/log-entry.ts';
import { readLogEntry } from '../storage/part-log.ts';
import { visitRecords } from '../storage/unpacked-lines.ts';
import type { Bucket } from './bucket.ts';

export interface Since {
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

async function countLate(bucket: Pick<Bucket, 'get'>, { key }: LogEntry, through: number): Promise<number> {
  const object = await bucket.get(key);
  let late = 0;
  if (object === null) return late;
  await visitRecords(object.body, (id) => {
    if (millisecondsOf(id) < through) late += 1;
  });
  return late;
}
