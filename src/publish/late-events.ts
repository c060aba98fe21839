/** Late events: those published after the watermark had passed them, for which its promise did not hold. */

import type { Bucket } from '../storage/bucket.ts';
import { timeOf } from '../storage/event-id.ts';
import { millisecondsOf } from '../storage/line-bytes.ts';
import type { LogEntry } from '../storage/log-entry.ts';
import { readLogEntry } from '../storage/part-log.ts';
import { visitRecords } from '../storage/unpacked-lines.ts';
import type { Watermark } from '../storage/watermark.ts';

export interface Since {
  readonly sequence: number;
  /** Number of events received before the watermark. */
  readonly late: number;
  /** When the last part with a late event was committed; null when there is none. */
  readonly lastLateAt: string | null;
}

/**
 * How far the clock of the run that named a part may be behind that of the run that wrote the watermark, in
 * milliseconds. A part named before the watermark was written consists of what was in `landing/` by then, which the
 * watermark takes into account.
 */
const CLOCKS_APART_MS = 5 * 60_000;

/** Reads the log after the watermark and counts late events in its parts. Without a watermark nothing is late. */
export async function publishedSince(
  bucket: Pick<Bucket, 'get' | 'list'>,
  watermark: Watermark | undefined,
): Promise<Since> {
  let [last, late] = [watermark?.log_sequence ?? 0, 0];
  let lastLateAt: string | null = null;
  for (;;) {
    const entry = await readLogEntry(bucket, last + 1);
    if (entry === undefined) return { sequence: last, late, lastLateAt };
    last = entry.sequence;
    const events = watermark && mayBeLate(entry, watermark) ? await countLate(bucket, entry, watermark) : 0;
    if (events > 0) lastLateAt = entry.committed_at;
    late += events;
  }
}

function mayBeLate(
  { operation, key, first_received_at }: LogEntry,
  { complete_through, updated_at }: Watermark,
): boolean {
  const namedAt = timeOf(key.slice(key.lastIndexOf('/') + 1)).getTime();
  const isNew = namedAt > Date.parse(updated_at) - CLOCKS_APART_MS;
  return operation === 'add' && first_received_at < complete_through && isNew;
}

async function countLate(
  bucket: Pick<Bucket, 'get'>,
  { key }: LogEntry,
  { complete_through }: Watermark,
): Promise<number> {
  const through = Date.parse(complete_through);
  const object = await bucket.get(key);
  let late = 0;
  if (object === null) return late;
  await visitRecords(object.body, (id) => {
    if (millisecondsOf(id) < through) late += 1;
  });
  return late;
}
