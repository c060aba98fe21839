/** The files of the current snapshot of the table, in a folder. */

import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import pMap from 'p-map';
import { currentSnapshot, logSequenceOf, TABLE_DATA } from '../../storage/iceberg/table.ts';
import { fileOf, openFolder } from '../folder-store.ts';
import { overlapsDay, type TimeRange } from '../list-hours.ts';
import type { ReadableStore } from '../object-store.ts';
import { showProgress } from '../show-progress.ts';
import { createFileReader, readCurrentTable, type TableFile } from './read-table.ts';
import { preparedFile, unfinishedName } from './save-file.ts';

/** How many files are copied at once. */
const COPIES = 8;

/** What was copied. */
export interface FetchedTable {
  /** Paths. */
  readonly files: readonly string[];
  /** The last entry of the log of parts whose rows are in them. */
  readonly logSequence: number;
}

/**
 * Copies the files that hold rows of a range, except those that the folder has. Files that the snapshot does not name any
 * more go: they may show a guest who was erased.
 *
 * @returns Undefined when there is no table.
 */
export async function fetchTable(
  store: ReadableStore,
  folder: string,
  range: TimeRange,
  signal: AbortSignal,
): Promise<FetchedTable | undefined> {
  const table = await readCurrentTable(store);
  if (table === undefined) return undefined;
  const snapshot = currentSnapshot(table);
  const named = snapshot === undefined ? [] : await createFileReader(store, table)(snapshot);
  await removeOthers(folder, named);
  const wanted = named.filter(({ day }) => overlapsDay(range, day));
  const progress = showProgress('table', wanted.length);
  let done = 0;
  const files = await pMap(
    wanted,
    async (file) => {
      const path = await fetchFile(store, folder, file, signal);
      done += 1;
      progress.update(done);
      return path;
    },
    { concurrency: COPIES, signal },
  );
  progress.end();
  return { files, logSequence: logSequenceOf(snapshot) };
}

async function removeOthers(folder: string, named: readonly TableFile[]): Promise<void> {
  const keys = new Set(named.map(({ key }) => key));
  for await (const { key } of openFolder(folder).list(TABLE_DATA)) {
    if (!keys.has(key)) await rm(fileOf(folder, key));
  }
}

/** A name is used once, so a file of the right size is the right one. */
async function fetchFile(
  store: Pick<ReadableStore, 'read'>,
  folder: string,
  { key, bytes }: TableFile,
  signal: AbortSignal,
): Promise<string> {
  const path = await preparedFile(folder, key);
  const size = await stat(path).then(
    (found) => found.size,
    () => undefined,
  );
  if (size === bytes) return path;
  const body = await store.read(key);
  if (body === undefined) throw new Error(`Cannot read ${key}: the table names it, and it is not there`);
  await pipeline(body, createWriteStream(unfinishedName(path), { mode: 0o600 }), { signal });
  await rename(unfinishedName(path), path);
  return path;
}
