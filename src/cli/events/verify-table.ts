/** Verifies that the table holds the rows of the current parts, each once. */

import { currentSnapshot, logSequenceOf, TABLE_DATA } from '../../storage/iceberg/table.ts';
import { dayOfPartition } from '../../storage/keys.ts';
import type { LogEntry } from '../../storage/log-entry.ts';
import { overlapsDay } from '../list-hours.ts';
import type { StoredObject } from '../object-store/xml.ts';
import type { ReadableStore } from '../object-store.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { withConnection } from './ask.ts';
import { standing } from './published-log.ts';
import { fetchTableFiles } from './query-files.ts';
import { createFileReader, readCurrentTable, type TableFile } from './read-table.ts';
import type { VerifyRequest } from './verify.ts';
import { listOf } from './views.ts';

/**
 * Verifies the current snapshot against the log up to the entry that it includes: it has the rows of each current part
 * once and no others; every file exists with the right size; and no file is without a snapshot that names it.
 *
 * @param entries - The whole log.
 * @returns How much was checked, and the findings, one line each; undefined if there is no table.
 */
export async function verifyTable(
  store: ReadableStore,
  entries: readonly LogEntry[],
  { range, settledBefore }: VerifyRequest,
  signal: AbortSignal,
) {
  const listed = await Array.fromAsync(store.list(TABLE_DATA));
  const table = await readCurrentTable(store);
  const snapshot = table && currentSnapshot(table);
  if (table === undefined || snapshot === undefined) return undefined;
  const filesOf = createFileReader(store, table);
  const files = (await filesOf(snapshot)).filter(({ day }) => overlapsDay(range, day));
  const findings = checkSizes(files, listed);
  // Missing or truncated files cannot be read.
  if (findings.length === 0) {
    const parts = standing(entries.filter(({ sequence }) => sequence <= logSequenceOf(snapshot)));
    const expected = [...parts.values()].filter(({ partition }) => overlapsDay(range, dayOfPartition(partition)));
    findings.push(...compare(await countRows(store, files, signal), expected));
  }
  const named = new Set<string>();
  for (const each of table.metadata.snapshots) for (const { key } of await filesOf(each)) named.add(key);
  // No reader sees them, and they may show an erased guest. Newer ones may belong to a commit in progress.
  const unnamed = listed.filter(({ key, modified }) => !named.has(key) && modified < settledBefore);
  return {
    files: files.length,
    rows: files.reduce((sum, { rows }) => sum + rows, 0),
    findings: [...findings, ...unnamed.map(({ key }) => `${key}: no snapshot of the table names it`)],
  };
}

function checkSizes(files: readonly TableFile[], listed: readonly StoredObject[]): string[] {
  const sizes = new Map(listed.map(({ key, bytes }) => [key, bytes]));
  return files.flatMap(({ key, bytes }) => {
    const size = sizes.get(key);
    if (size === bytes) return [];
    const why = size === undefined ? 'missing' : `${size} bytes instead of ${bytes}`;
    return [`${key}: ${why} (the current snapshot of the table names it)`];
  });
}

/**
 * Counts the rows of each part, and how many of them share their event_id with another row. An event_id that occurs in
 * two parts counts as repeated in both.
 */
async function countRows(store: Pick<ReadableStore, 'get'>, files: readonly TableFile[], signal: AbortSignal) {
  if (files.length === 0) return [];
  return withTemporaryFolder(async (folder) => {
    const paths = await fetchTableFiles(store, folder, files, signal);
    return withConnection({ temp_directory: folder }, async (connection) => {
      const read = await connection.runAndReadAll(
        `SELECT part, count(*), count(*) FILTER (times > 1)
         FROM (SELECT part, count(*) OVER (PARTITION BY event_id) AS times FROM read_parquet(${listOf(paths)}))
         GROUP BY part ORDER BY part`,
      );
      return read.getRows().map(([part, rows, repeated]) => ({
        part: Number(part),
        rows: Number(rows),
        repeated: Number(repeated),
      }));
    });
  });
}

function compare(counts: Awaited<ReturnType<typeof countRows>>, expected: readonly LogEntry[]): string[] {
  const found = new Map(counts.map((count) => [count.part, count]));
  const findings: string[] = [];
  for (const { sequence, key, rows } of expected) {
    const count = found.get(sequence) ?? { rows: 0, repeated: 0 };
    found.delete(sequence);
    if (count.rows !== rows) {
      findings.push(`${key}: ${count.rows} rows in the table instead of ${rows} (part ${sequence})`);
    }
    if (count.repeated > 0) {
      const why = `${count.repeated} rows in the table whose event_id others have as well`;
      findings.push(`${key}: ${why} (part ${sequence})`);
    }
  }
  for (const { part, rows } of found.values()) {
    findings.push(`${TABLE_DATA}: ${rows} rows of part ${part}, which the log does not have, or has replaced`);
  }
  return findings;
}
