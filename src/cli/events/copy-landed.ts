/** Copying what has landed and is not published yet. */

import { readFile, rm } from 'node:fs/promises';
import pMap from 'p-map';
import { fileOf, openFolder } from '../folder-store.ts';
import { listHours, type TimeRange } from '../list-hours.ts';
import type { StoredObject } from '../object-store/xml.ts';
import type { ObjectStore } from '../object-store.ts';
import { showProgress } from '../show-progress.ts';
import { saveFile, unfinishedName } from './save-file.ts';
import { uniqueLines } from './unique-lines.ts';

/** How many objects are copied at once. */
const COPIES = 8;

/** The keys that the service gives to objects of `landing/`. Files of other names were not written here. */
const LANDED_KEY = /^landing\/dt=\d{4}-\d\d-\d\d\/hour=\d\d\/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.ndjson$/;

/** Removes the files of an earlier copy, and nothing else. */
export async function removeLanded(folder: string): Promise<void> {
  for await (const { key } of openFolder(folder).list('landing/')) {
    if (LANDED_KEY.test(key.replace(/(?:\.part)+$/, ''))) await rm(fileOf(folder, key));
  }
}

/**
 * Copies landed objects into a folder, each as it is, under a name that says that it is not finished.
 *
 * @returns The keys of those that were there.
 */
export async function copyLanded(
  store: ObjectStore,
  folder: string,
  range: TimeRange,
  signal: AbortSignal,
): Promise<string[]> {
  const objects = await Array.fromAsync(listHours(store, 'landing', range));
  const progress = showProgress('landing', objects.length);
  const copied: string[] = [];
  let done = 0;

  async function copyNext({ key }: StoredObject): Promise<void> {
    const file = fileOf(folder, key);
    const body = await store.get(key);
    // One that is gone has been published since it was listed, and is met again there.
    if (body !== undefined) {
      await saveFile(unfinishedName(file), body);
      copied.push(key);
    }
    done += 1;
    progress.update(done, 'objects');
  }

  await pMap(objects, copyNext, { concurrency: COPIES, signal });
  progress.end();
  return copied.sort();
}

/**
 * Finishes the files of landed objects: with the lines that are in no published file, each once. Those without any go.
 *
 * @returns The keys of those that stay.
 */
export async function keepUnpublished(
  folder: string,
  landed: readonly string[],
  published: readonly string[],
): Promise<string[]> {
  const lines = uniqueLines({});
  const kept: string[] = [];
  // Without anything landed, reading all that is published is saved.
  if (landed.length > 0) {
    for (const key of published) for (const _ of lines.of(key, await readFile(fileOf(folder, key))));
  }
  for (const key of landed) {
    const file = fileOf(folder, key);
    const rest = [...lines.of(key, await readFile(unfinishedName(file)))];
    if (rest.length === 0) {
      await rm(unfinishedName(file));
    } else {
      await saveFile(file, Buffer.concat(rest));
      kept.push(key);
    }
  }
  return kept;
}
