/** `pull --format csv`: a table for each published part. */

import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { EVENTS_PREFIX } from '../../storage/keys.ts';
import type { LogEntry } from '../../storage/log-entry.ts';
import { fileOf, openFolder } from '../folder-store.ts';
import { overlaps, type TimeRange } from '../list-hours.ts';
import type { ReadableStore } from '../object-store.ts';
import { TABLE } from '../schema/columns.ts';
import { readRows } from '../schema/duckdb.ts';
import { showProgress } from '../show-progress.ts';
import { copyLog } from './copy-log.ts';
import { lineageOf } from './coverage.ts';
import { fetchObject } from './fetch-object.ts';
import { PART_LOG } from './published-log.ts';
import { unfinishedName } from './save-file.ts';

/** The tables of the range, how many of them are new, and how many tables have gone. */
export interface PulledTables {
  readonly files: readonly string[];
  readonly fetched: number;
  readonly removed: number;
}

/**
 * Makes `csv/` in a folder hold a table for each part of some hours, named as the part with another ending, and the log
 * that says which there are. A part never changes, so a table that is there stays. A table whose part was replaced goes
 * once there is one for the replacement.
 *
 * @param scratch - A folder for parts while they are converted.
 */
export async function pullCsv(
  store: ReadableStore,
  folder: string,
  range: TimeRange,
  scratch: string,
  signal: AbortSignal,
): Promise<PulledTables> {
  const root = join(folder, 'csv');
  const entries = await copyLog(store, root, PART_LOG, signal);
  const { parts, bySequence } = lineageOf(entries);
  const present = new Set<string>();
  for await (const { key } of openFolder(root).list(EVENTS_PREFIX)) present.add(key);
  const obsolete = entries.filter(({ key }) => !parts.has(key) && present.has(tableKey(key)));
  const chosen = [...parts.values()].filter(({ partition }) => overlaps(range, partition));
  const successors = obsolete.flatMap(({ sequence }) => bySequence.get(sequence) ?? []);
  const missing = [...new Set([...chosen, ...successors])].filter(({ key }) => !present.has(tableKey(key)));

  const instance = await DuckDBInstance.create(':memory:', { temp_directory: scratch });
  const connection = await instance.connect();
  const progress = showProgress('tables', missing.length);
  try {
    for (const [at, entry] of missing.entries()) {
      signal.throwIfAborted();
      await convert(store, connection, entry, scratch, fileOf(root, tableKey(entry.key)));
      progress.update(at + 1);
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  progress.end();
  for (const { key } of obsolete) await rm(fileOf(root, tableKey(key)));
  const files = chosen.map(({ key }) => fileOf(root, tableKey(key)));
  return { files, fetched: missing.length, removed: obsolete.length };
}

async function convert(
  store: ReadableStore,
  connection: DuckDBConnection,
  entry: LogEntry,
  scratch: string,
  table: string,
): Promise<void> {
  if ((await fetchObject(store, scratch, entry)) === 'gone') {
    throw new Error(`Cannot copy ${entry.key}: the bucket does not have it any more; run the command again`);
  }
  const part = fileOf(scratch, entry.key);
  await mkdir(dirname(table), { recursive: true });
  const unfinished = unfinishedName(table);
  await connection.run(
    `COPY (SELECT ${COLUMNS} FROM ${readRows(quoted(part))}) TO ${quoted(unfinished)} (FORMAT csv, HEADER, COMPRESSION gzip)`,
  );
  await rename(unfinished, table);
  await rm(part);
}

/** Times as in the lines, and a list as its JSON text: a table has no lists. */
const COLUMNS = TABLE.map(({ name, type }) => {
  if (type === 'timestamp') return `strftime(${name}, '%Y-%m-%dT%H:%M:%S.%gZ') AS ${name}`;
  return type === 'texts' ? `to_json(${name}) AS ${name}` : name;
}).join(', ');

function tableKey(key: string): string {
  return key.replace(/\.ndjson\.gz$/, '.csv.gz');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
