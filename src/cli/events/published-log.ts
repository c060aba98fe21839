/** Reading the log of published parts, `events/v1/_log/`. */

import pMap from 'p-map';
import * as v from 'valibot';
import { LOG_PREFIX, logKey } from '../../storage/keys.ts';
import { type LogEntry, LogEntrySchema } from '../../storage/log-entry.ts';
import type { ReadableStore, StoredObject } from '../object-store.ts';
import { showProgress } from '../show-progress.ts';
import type { LogFinding } from './log-finding.ts';

/** Entries are small; many at once make up for the time that each takes on its way. */
const READS = 32;

/** What the log says. */
export interface PublishedLog {
  /** In the order of sequences. */
  readonly entries: readonly LogEntry[];
  /** What is wrong with the log itself. */
  readonly findings: readonly LogFinding[];
}

/**
 * Reads the log.
 *
 * @param after - The last sequence that is known already; 0 reads all.
 * @param onEntry - Gets each entry with its bytes.
 */
export async function readLog(
  store: ReadableStore,
  after: number,
  signal: AbortSignal,
  onEntry: (entry: LogEntry, body: Uint8Array) => Promise<void> = async () => {},
): Promise<PublishedLog> {
  const objects = await Array.fromAsync(store.list(LOG_PREFIX, logKey(after)));
  const progress = showProgress('log', objects.length);
  let done = 0;

  async function readEntry({ key }: StoredObject): Promise<LogEntry | LogFinding> {
    const chunks = await store.read(key);
    if (chunks === undefined) return { kind: 'log_entry', key, why: 'it was deleted a moment ago' };
    const body = Buffer.concat(await Array.fromAsync(chunks));
    const result = parseEntry(key, body);
    if ('sequence' in result) await onEntry(result, body);
    done += 1;
    progress.update(done, 'entries');
    return result;
  }

  const results = await pMap(objects, readEntry, { concurrency: READS, signal });
  if (objects.length > 0) progress.end();
  const entries = results.filter((result) => 'sequence' in result);
  const unreadable = results.filter((result) => 'kind' in result);
  return { entries, findings: [...unreadable, ...gapsIn(entries, after)] };
}

/** The parts that stand: what was added, without what was replaced. */
export function standing(entries: readonly LogEntry[]): Map<string, LogEntry> {
  const parts = new Map<string, LogEntry>();
  for (const entry of entries) {
    if (entry.replaces !== null) parts.delete(entry.replaces);
    parts.set(entry.key, entry);
  }
  return parts;
}

function parseEntry(key: string, body: Uint8Array): LogEntry | LogFinding {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(body));
  } catch (error) {
    return { kind: 'log_entry', key, why: String(error) };
  }
  const result = v.safeParse(LogEntrySchema, json);
  if (!result.success) {
    return {
      kind: 'log_entry',
      key,
      why: result.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`).join('; '),
    };
  }
  if (logKey(result.output.sequence) !== key)
    return { kind: 'log_entry', key, why: `it has sequence ${result.output.sequence}` };
  return result.output;
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
