/** Fetches the files that `sql` queries into a folder. */

import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { currentSnapshot, logSequenceOf, TABLE_DATA } from '../../storage/iceberg/table.ts';
import { createFolderStore, fileOf } from '../folder-store.ts';
import { listHours, overlapsDay, type TimeRange } from '../list-hours.ts';
import { mapWithProgress } from '../map-with-progress.ts';
import type { ReadableStore } from '../object-store.ts';
import { COPIES, fetchObject, sizeOf } from './fetch-object.ts';
import { partsIn, readLog } from './published-log.ts';
import { pull } from './pull.ts';
import { createFileReader, readCurrentTable, type TableFile } from './read-table.ts';
import { preparedFile, saveFile } from './save-file.ts';
import type { EventFiles } from './views.ts';

/**
 * Copies objects that hold each published event of a range once: the files of the table, or all parts if there is no
 * table.
 *
 * @param fresh - Whether to also copy the parts that the table does not have yet.
 */
export async function fetchEvents(
  store: ReadableStore,
  folder: string,
  fresh: boolean,
  range: TimeRange,
  signal: AbortSignal,
): Promise<Pick<EventFiles, 'table' | 'published'>> {
  const current = await readCurrentTable(store);
  if (current === undefined) return { table: [], published: (await pull(store, folder, range, signal)).files };
  const snapshot = currentSnapshot(current);
  const named = snapshot === undefined ? [] : await createFileReader(store, current)(snapshot);
  await removeOthers(folder, named);
  const wanted = named.filter(({ day }) => overlapsDay(range, day));
  const table = await fetchTableFiles(store, folder, wanted, signal);
  const published = fresh ? await fetchParts(store, folder, logSequenceOf(snapshot), range, signal) : [];
  return { table, published };
}

/** Deletes files that the snapshot no longer names: they may show a guest who was erased. */
async function removeOthers(folder: string, named: readonly TableFile[]): Promise<void> {
  const keys = new Set(named.map(({ key }) => key));
  for await (const { key } of createFolderStore(folder).list(TABLE_DATA)) {
    if (!keys.has(key)) await rm(fileOf(folder, key));
  }
}

/**
 * Copies the table files that the folder does not have. A name is used only once, so a file of the right size is the
 * right one.
 *
 * @returns The paths of all files.
 */
export function fetchTableFiles(
  store: Pick<ReadableStore, 'get'>,
  folder: string,
  files: readonly TableFile[],
  signal: AbortSignal,
): Promise<string[]> {
  const fetchNext = async ({ key, bytes }: TableFile) => {
    const path = await preparedFile(folder, key);
    if ((await sizeOf(path)) === bytes) return path;
    const body = await store.get(key);
    if (body === undefined) {
      throw new Error(`Cannot read ${key}: the table names it, and it is not there; run the command again`);
    }
    await saveFile(folder, key, body);
    return path;
  };
  return mapWithProgress(files, fetchNext, { label: 'table', concurrency: COPIES, signal });
}

/** Copies the parts that the log names after a sequence number. */
async function fetchParts(
  store: ReadableStore,
  folder: string,
  after: number,
  range: TimeRange,
  signal: AbortSignal,
): Promise<string[]> {
  const { entries } = await readLog(store, after, signal);
  const fetchNext = async (entry: (typeof entries)[number]) => {
    if ((await fetchObject(store, folder, entry)) !== 'gone') return fileOf(folder, entry.key);
    throw new Error(`Cannot read ${entry.key}: it was replaced a moment ago; ask again`);
  };
  return mapWithProgress(partsIn(entries, range), fetchNext, { label: 'parts', concurrency: COPIES, signal });
}

/**
 * Copies landed objects. Call it before copying published events: an event that is published meanwhile moves to
 * `events/`, and is met at least once.
 */
export async function copyLanded(
  store: ReadableStore,
  folder: string,
  range: TimeRange,
  signal: AbortSignal,
): Promise<string[]> {
  const objects = await Array.fromAsync(listHours(store, 'landing', range));
  const copyNext = async ({ key }: (typeof objects)[number]) => {
    const file = fileOf(folder, key);
    const body = await store.get(key);
    // Published since it was listed, so it is read from events/ afterwards.
    if (body === undefined) return [];
    await saveFile(folder, key, body);
    return [file];
  };
  return (await mapWithProgress(objects, copyNext, { label: 'landing', concurrency: COPIES, signal })).flat();
}

/**
 * The files of some hours that an earlier `pull` has copied.
 *
 * @throws When the folder lacks a part that its log names: the answer would be wrong.
 */
export async function pulledFiles(folder: string, range: TimeRange, signal: AbortSignal): Promise<string[]> {
  const { entries, findings } = await readLog(createFolderStore(folder), 0, signal);
  const files = partsIn(entries, range).map(({ key }) => fileOf(folder, key));
  if (entries.length === 0 || findings.length > 0 || !files.every((file) => existsSync(file))) {
    throw new Error(
      `Cannot ask about ${folder}: it is not a complete copy of these hours; run npm run events -- pull ${folder} with the same --from and --to`,
    );
  }
  return files;
}
