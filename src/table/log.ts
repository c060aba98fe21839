/** Reading the part log. */

import type { Bucket } from '../storage/bucket.ts';
import { LOG_PREFIX, logKey } from '../storage/keys.ts';
import type { LogEntry } from '../storage/log-entry.ts';
import { listAll } from '../storage/many-objects.ts';
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

/** Lists the keys of parts by sequence, as recorded in the log between two sequences, both inclusive. */
export async function* listKeys(
  bucket: Pick<Bucket, 'list'>,
  first: number,
  last: number,
): AsyncGenerator<[sequence: number, key: string]> {
  const listed = listAll(bucket, { prefix: LOG_PREFIX, startAfter: logKey(first - 1), include: ['customMetadata'] });
  for await (const { key, customMetadata } of listed) {
    const sequence = Number.parseInt(key.slice(LOG_PREFIX.length), 10);
    if (sequence > last) break;
    if (customMetadata?.key !== undefined) yield [sequence, customMetadata.key];
  }
}
