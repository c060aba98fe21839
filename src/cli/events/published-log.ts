/** Reads the log of parts, `events/v1/_log/`. */

import { LOG_PREFIX, logKey } from '../../storage/keys.ts';
import { type LogEntry, LogEntrySchema } from '../../storage/log-entry.ts';
import { overlaps, type TimeRange } from '../list-hours.ts';
import { mapWithProgress } from '../map-with-progress.ts';
import type { ReadableStore } from '../object-store.ts';
import { parseStored } from '../parse-stored.ts';

/** Entries that are read concurrently. They are small, so latency dominates. */
const READS = 32;

/**
 * Reads the log.
 *
 * @param after - Sequence number of the last known entry; 0 reads all. Entries up to it are not even listed.
 * @param onEntry - Called with each entry and its bytes.
 * @returns The entries by sequence number, and the problems of the log itself, one line each.
 */
export async function readLog(
  store: ReadableStore,
  after: number,
  signal: AbortSignal,
  onEntry?: (entry: LogEntry, body: Uint8Array) => Promise<void>,
) {
  const keys: string[] = [];
  for await (const { key } of store.list(LOG_PREFIX, logKey(after))) keys.push(key);
  const entries: LogEntry[] = [];
  const findings: string[] = [];

  async function readEntry(key: string): Promise<void> {
    const body = await store.get(key);
    const entry = parseStored(LogEntrySchema, body ?? '');
    if (body === undefined) {
      findings.push(`${key}: deleted a moment ago`);
    } else if (!entry.ok) {
      findings.push(`${key}: not an entry of the log: ${entry.error}`);
    } else if (logKey(entry.value.sequence) !== key) {
      findings.push(`${key}: not an entry of the log: it has sequence ${entry.value.sequence}`);
    } else {
      await onEntry?.(entry.value, body);
      entries.push(entry.value);
    }
  }

  await mapWithProgress(keys, readEntry, { label: 'log', concurrency: READS, signal, remark: () => 'entries' });
  entries.sort((left, right) => left.sequence - right.sequence);
  return { entries, findings: [...findings, ...gapsIn(entries, after)] };
}

/** The current parts, by key: all that were added, without those that were replaced. */
export function standing(entries: readonly LogEntry[]): Map<string, LogEntry> {
  const parts = new Map<string, LogEntry>();
  for (const entry of entries) {
    if (entry.replaces !== null) parts.delete(entry.replaces);
    parts.set(entry.key, entry);
  }
  return parts;
}

/** The current parts of the hours in a range. */
export function partsIn(entries: readonly LogEntry[], range: TimeRange): LogEntry[] {
  return [...standing(entries).values()].filter(({ partition }) => overlaps(range, partition));
}

function gapsIn(entries: readonly LogEntry[], after: number): string[] {
  const findings: string[] = [];
  let expected = after + 1;
  for (const { sequence } of entries) {
    const missing = sequence - expected;
    if (missing > 0) {
      const which = missing === 1 ? `entry ${expected} is` : `entries ${expected} to ${sequence - 1} are`;
      findings.push(`${LOG_PREFIX}: ${which} missing, though there are later ones`);
    }
    expected = sequence + 1;
  }
  return findings;
}
