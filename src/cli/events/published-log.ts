/** Reading the logs of published objects: of parts, `events/v1/_log/`, and of columnar objects, `parquet/v1/_log/`. */

import pMap from 'p-map';
import * as v from 'valibot';
import { LOG_PREFIX, logKey, PARQUET_LOG_PREFIX, parquetLogKey } from '../../storage/keys.ts';
import { LogEntrySchema } from '../../storage/log-entry.ts';
import { ParquetEntrySchema } from '../../storage/parquet-entry.ts';
import type { PublishedObject } from '../../storage/published-object.ts';
import type { StoredObject } from '../object-store/xml.ts';
import type { ReadableStore } from '../object-store.ts';
import { showProgress } from '../show-progress.ts';
import type { LogFinding } from './log-finding.ts';

/** Entries are small; many at once make up for the time that each takes on its way. */
const READS = 32;

/** Where a log lies, and what its entries are. */
export interface LogKind<Entry extends PublishedObject> {
  readonly prefix: string;
  keyOf(sequence: number): string;
  readonly schema: v.GenericSchema<unknown, Entry>;
}

/** The log of parts. */
export const PART_LOG = { prefix: LOG_PREFIX, keyOf: logKey, schema: LogEntrySchema };

/** The log of columnar objects. */
export const PARQUET_LOG = { prefix: PARQUET_LOG_PREFIX, keyOf: parquetLogKey, schema: ParquetEntrySchema };

/** What a log says. */
export interface PublishedLog<Entry> {
  /** In the order of sequences. */
  readonly entries: readonly Entry[];
  /** What is wrong with the log itself. */
  readonly findings: readonly LogFinding[];
}

/**
 * Reads a log.
 *
 * @param after - The last sequence that is known already; 0 reads all.
 * @param onEntry - Gets each entry with its bytes.
 */
export async function readLog<Entry extends PublishedObject>(
  store: ReadableStore,
  log: LogKind<Entry>,
  after: number,
  signal: AbortSignal,
  onEntry: (entry: Entry, body: Uint8Array) => Promise<void> = async () => {},
): Promise<PublishedLog<Entry>> {
  const objects = await Array.fromAsync(store.list(log.prefix, log.keyOf(after)));
  const progress = showProgress('log', objects.length);
  const entries: Entry[] = [];
  const findings: LogFinding[] = [];
  let done = 0;

  async function readEntry({ key }: StoredObject): Promise<void> {
    const body = await bytesOf(store, key);
    const result = body === undefined ? 'it was deleted a moment ago' : parseEntry(log, key, body);
    if (typeof result === 'string') {
      findings.push({ kind: 'log_entry', key, why: result });
    } else if (body !== undefined) {
      await onEntry(result, body);
      entries.push(result);
    }
    done += 1;
    progress.update(done, 'entries');
  }

  await pMap(objects, readEntry, { concurrency: READS, signal });
  if (objects.length > 0) progress.end();
  entries.sort((left, right) => left.sequence - right.sequence);
  return { entries, findings: [...findings, ...gapsIn(log.prefix, entries, after)] };
}

/** The objects that stand, by key: what was added, without what was replaced. */
export function standing<Entry extends PublishedObject>(entries: readonly Entry[]): Map<string, Entry> {
  const objects = new Map<string, Entry>();
  for (const entry of entries) {
    if (entry.replaces !== null) objects.delete(entry.replaces);
    objects.set(entry.key, entry);
  }
  return objects;
}

/** The bytes of an object, or undefined when there is none. */
export async function bytesOf(store: Pick<ReadableStore, 'read'>, key: string): Promise<Buffer | undefined> {
  const chunks = await store.read(key);
  return chunks && Buffer.concat(await Array.fromAsync(chunks));
}

/** An entry, or why it is none. */
function parseEntry<Entry extends PublishedObject>(log: LogKind<Entry>, key: string, body: Uint8Array): Entry | string {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), log.schema), new TextDecoder().decode(body));
  if (!result.success) {
    return result.issues.map((issue) => `${v.getDotPath(issue) ?? 'JSON'}: ${issue.message}`).join('; ');
  }
  const { sequence } = result.output;
  return log.keyOf(sequence) === key ? result.output : `it has sequence ${sequence}`;
}

function gapsIn(log: string, entries: readonly PublishedObject[], after: number): LogFinding[] {
  const findings: LogFinding[] = [];
  let expected = after + 1;
  for (const { sequence } of entries) {
    if (sequence > expected) findings.push({ kind: 'log_gap', log, first: expected, last: sequence - 1 });
    expected = sequence + 1;
  }
  return findings;
}
