/** Reading the part log. */

import type { Bucket } from '../storage/bucket.ts';
import type { LogEntry } from '../storage/log-entry.ts';
import { readLogEntry } from '../storage/part-log.ts';

/** Entries that are read at once; R2 gives an invocation six connections. */
const READS_AT_ONCE = 5;

/**
 * The entries after a sequence, in order.
 *
 * @param atMost - How many, or a few more.
 */
export async function readLog(
  bucket: Pick<Bucket, 'list' | 'get'>,
  after: number,
  atMost: number,
): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  while (entries.length < atMost) {
    const next = Array.from({ length: READS_AT_ONCE }, (_, at) => after + entries.length + at + 1);
    const read = await Promise.all(next.map((sequence) => readLogEntry(bucket, sequence)));
    for (const entry of read) {
      // Entries after it were added while these were read.
      if (entry === undefined) return entries;
      entries.push(entry);
    }
  }
  return entries;
}
