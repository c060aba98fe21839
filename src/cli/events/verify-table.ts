/** Whether the table holds what the log of parts names, each row once. */

import { DuckDBInstance } from '@duckdb/node-api';
import { currentSnapshot, logSequenceOf, TABLE_DATA, type Table } from '../../storage/iceberg/table.ts';
import { partitionIn } from '../../storage/keys.ts';
import type { LogEntry } from '../../storage/log-entry.ts';
import { overlapsDay, type TimeRange } from '../list-hours.ts';
import type { StoredObject } from '../object-store/xml.ts';
import type { ReadableStore } from '../object-store.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { fetchTable } from './fetch-table.ts';
import type { LogFinding } from './log-finding.ts';
import { standing } from './published-log.ts';
import { createFileReader, readCurrentTable, type TableFile } from './read-table.ts';

/** What was looked at. */
export interface TableVerification {
  readonly files: number;
  readonly rows: number;
  readonly findings: readonly LogFinding[];
}

/**
 * Checks the current snapshot against the log up to the entry that it follows: the rows of each part that stands, each once,
 * and of no other; every file there in its size; and no file that no snapshot names.
 *
 * @param entries - The whole log.
 * @param settledBefore - Files that were written from this moment on may be of a commit under way.
 * @returns Undefined when there is no table.
 */
export async function verifyTable(
  store: ReadableStore,
  entries: readonly LogEntry[],
  { range, settledBefore }: { readonly range: TimeRange; readonly settledBefore: Date },
  signal: AbortSignal,
): Promise<TableVerification | undefined> {
  const listed = await Array.fromAsync(store.list(TABLE_DATA));
  const table = await readCurrentTable(store);
  const snapshot = table && currentSnapshot(table);
  if (table === undefined || snapshot === undefined) return undefined;
  const filesOf = createFileReader(store, table);
  const files = (await filesOf(snapshot)).filter(({ day }) => overlapsDay(range, day));
  const findings = checkSizes(files, listed);
  const parts = standing(entries.filter(({ sequence }) => sequence <= logSequenceOf(snapshot)));
  const expected = [...parts.values()].filter(({ key }) => overlapsDay(range, dayOf(key)));
  const counts = findings.length > 0 ? [] : await countRows(store, range, signal);
  return {
    files: files.length,
    rows: files.reduce((sum, { rows }) => sum + rows, 0),
    findings: [
      ...findings,
      ...(findings.length > 0 ? [] : compare(counts, expected)),
      ...(await unnamed(table, filesOf, listed, settledBefore)),
    ],
  };
}

function dayOf(key: string): string {
  return (partitionIn(key) ?? '').slice('dt='.length, 'dt=YYYY-MM-DD'.length);
}

function checkSizes(files: readonly TableFile[], listed: readonly StoredObject[]): LogFinding[] {
  const sizes = new Map(listed.map(({ key, bytes }) => [key, bytes]));
  return files.flatMap(({ key, bytes }): LogFinding[] => {
    const size = sizes.get(key);
    if (size === bytes) return [];
    const why = size === undefined ? 'missing' : `${size} bytes instead of ${bytes}`;
    return [{ kind: 'table', key, why: `${why} (the current snapshot of the table names it)` }];
  });
}

/** How many rows there are of a part, and how many of them have an event_id that no other of them has. */
interface PartCount {
  readonly part: number;
  readonly rows: number;
  readonly repeated: number;
}

/** Counts the rows of the files by part; an event_id that occurs in two parts counts as repeated in both. */
async function countRows(store: ReadableStore, range: TimeRange, signal: AbortSignal): Promise<readonly PartCount[]> {
  return withTemporaryFolder(async (folder) => {
    const { files = [] } = (await fetchTable(store, folder, range, signal)) ?? {};
    if (files.length === 0) return [];
    const instance = await DuckDBInstance.create(':memory:', { temp_directory: folder });
    const connection = await instance.connect();
    try {
      const list = files.map((file) => `'${file.replaceAll("'", "''")}'`).join(', ');
      const read = await connection.runAndReadAll(
        `SELECT part, count(*), count(*) FILTER (times > 1)
         FROM (SELECT part, count(*) OVER (PARTITION BY event_id) AS times FROM read_parquet([${list}]))
         GROUP BY part ORDER BY part`,
      );
      return read.getRows().map(([part, rows, repeated]) => ({
        part: Number(part),
        rows: Number(rows),
        repeated: Number(repeated),
      }));
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  });
}

function compare(counts: readonly PartCount[], expected: readonly LogEntry[]): LogFinding[] {
  const found = new Map(counts.map((count) => [count.part, count]));
  const findings: LogFinding[] = [];
  for (const { sequence, key, rows } of expected) {
    const count = found.get(sequence) ?? { rows: 0, repeated: 0 };
    found.delete(sequence);
    if (count.rows !== rows) {
      findings.push({
        kind: 'table',
        key,
        why: `${count.rows} rows in the table instead of ${rows} (part ${sequence})`,
      });
    }
    if (count.repeated > 0) {
      const why = `${count.repeated} rows in the table whose event_id others have as well (part ${sequence})`;
      findings.push({ kind: 'table', key, why });
    }
  }
  for (const { part, rows } of found.values()) {
    const why = `${rows} rows of part ${part}, which the log does not have, or has replaced`;
    findings.push({ kind: 'table', key: TABLE_DATA, why });
  }
  return findings;
}

/** Files that no snapshot names: nobody can read them, and they may show who was erased. */
async function unnamed(
  { metadata }: Table,
  filesOf: ReturnType<typeof createFileReader>,
  listed: readonly StoredObject[],
  settledBefore: Date,
): Promise<LogFinding[]> {
  const named = new Set<string>();
  for (const snapshot of metadata.snapshots) for (const { key } of await filesOf(snapshot)) named.add(key);
  return listed
    .filter(({ key, modified }) => !named.has(key) && modified < settledBefore)
    .map(({ key }) => ({ kind: 'table', key, why: 'no snapshot of the table names it' }));
}
