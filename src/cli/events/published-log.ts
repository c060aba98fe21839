/** Reading the log of published parts, `events/v1/_log/`. */

import * as v from 'valibot';
import { LOG_PREFIX, logKey } from '../../storage/keys.ts';
import { type LogEntry, LogEntrySchema } from '../../storage/log-entry.ts';
import { mapWithProgress } from '../map-with-progress.ts';
import type { ReadableStore } from '../object-store.ts';
import type { LogFinding } from './log-finding.ts';

/** Entries are small; many at once make up for the time that each takes on its way. */
const READS = 32;

export interface PublishedLog {
  /** In the order of sequences. */
  readonly entries: readonly LogEntry[];
  /** What is wrong with the log itself. */
  readonly findings: readonly LogFinding[];
}

/**
 * Reads the log.
 *
 * @param after - The last sequence that is known already; 0 reads all. Entries up to it are not even listed.
 * @param onEntry - Gets each entry with its bytes.
 */
export async function readLog(
  store: ReadableStore,
  after: number,
  signal: AbortSignal,
  onEntry?: (entry: LogEntry, body: Uint8Array) => Promise<void>,
): Promise<PublishedLog> {
  const keys: string[] = [];
  for await (const { key } of store.list(LOG_PREFIX, logKey(after))) keys.push(key);
  const entries: LogEntry[] = [];
  const findings: LogFinding[] = [];

  async function readEntry(key: string): Promise<void> {
    const body = await store.get(key);
    const result = body === undefined ? 'it was deleted a moment ago' : parseEntry(key, body);
    if (typeof result === 'string') {
      findings.push({ kind: 'log_entry', key, why: result });
    } else if (body !== undefined) {
      await onEntry?.(result, body);
      entries.push(result);
    }
  }

  await mapWithProgress(keys, readEntry, { label: 'log', concurrency: READS, signal, remark: () => 'entries' });
  entries.sort((left, right) => left.sequence - right.sequence);
  return { entries, findings: [...findings, ...gapsIn(entries, after)] };
}

/** The parts that stand, by key: what was added, without what was replaced. */
export function standing(entries: readonly LogEntry[]): Map<string, LogEntry> {
  const parts = new Map<string, LogEntry>();
  for (const entry of entries) {
    if (entry.replaces !== null) parts.delete(entry.replaces);
    parts.set(entry.key, entry);
  }
  return parts;
}

const EntryText = v.pipe(v.string(), v.parseJson(), LogEntrySchema);

/** An entry, or why it is none. */
function parseEntry(key: string, body: Uint8Array): LogEntry | string {
  const result = v.safeParse(EntryText, new TextDecoder().decode(body));
  if (!result.success) {
    return result.issues.map((issue) => `${v.getDotPath(issue) ?? 'JSON'}: ${issue.message}`).join('; ');
  }
  const { sequence } = result.output;
  return logKey(sequence) === key ? result.output : `it has sequence ${sequence}`;
}

function gapsIn(entries: readonly LogEntry[], after: number): LogFinding[] {
  const findings: LogFinding[] = [];
  let expected = after + 1;
  for (const { sequence } of entries) {
    if (sequence > expected) findings.push({ kind: 'log_gap', first: expected, last: sequence - 1 });
    expected = sequence + 1;
  }
  return findings;
}
