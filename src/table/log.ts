/** Reading the part log beyond what the table reflects. */

import type { Bucket } from '../storage/bucket.ts';
import { LOG_PREFIX, logKey, partitionIn } from '../storage/keys.ts';
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

/** The day of the rows of a part, `YYYY-MM-DD`. */
export function dayOfEntry({ partition }: Pick<LogEntry, 'partition'>): string {
  return partition.slice('dt='.length, 'dt=YYYY-MM-DD'.length);
}

/** The day of the rows of a part, `YYYY-MM-DD`, by its key. */
export function dayOfPart(key: string): string {
  return dayOfEntry({ partition: partitionIn(key) ?? '' });
}

/**
 * The replacement of a part, the replacement of that, and so on, as far as the entries show: the last one is current.
 *
 * @param key - The key of the part.
 */
export type Replacements = (key: string) => readonly LogEntry[];

/** Follows replacements. */
export function replacementsIn(entries: readonly LogEntry[]): Replacements {
  const by = new Map(entries.flatMap((entry) => (entry.replaces === null ? [] : [[entry.replaces, entry]])));
  return (key) => {
    const chain: LogEntry[] = [];
    for (let next = by.get(key); next !== undefined; next = by.get(next.key)) chain.push(next);
    return chain;
  };
}

/** The keys of parts by sequence, as recorded in the log between two sequences, both inclusive. */
export async function readKeys(
  bucket: Pick<Bucket, 'list'>,
  first: number,
  last: number,
): Promise<Map<number, string>> {
  return new Map(await Array.fromAsync(listKeys(bucket, first, last)));
}

/**
 * The entries after a sequence whose parts are of these days, however far ahead: replacements of a part are among them.
 * Entries of other days are listed and not read.
 *
 * @param days - `YYYY-MM-DD`.
 */
export async function readLogOfDays(
  bucket: Pick<Bucket, 'list' | 'get'>,
  after: number,
  days: ReadonlySet<string>,
): Promise<LogEntry[]> {
  const wanted: number[] = [];
  for await (const [sequence, key] of listKeys(bucket, after + 1, Number.MAX_SAFE_INTEGER)) {
    if (days.has(dayOfPart(key))) wanted.push(sequence);
  }
  const entries: LogEntry[] = [];
  for (let at = 0; at < wanted.length; at += READS_AT_ONCE) {
    const some = wanted.slice(at, at + READS_AT_ONCE);
    const read = await Promise.all(some.map((sequence) => readLogEntry(bucket, sequence)));
    entries.push(...read.filter((entry) => entry !== undefined));
  }
  return entries;
}

async function* listKeys(
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
