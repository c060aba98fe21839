/** Copying objects to files. */

import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pMap from 'p-map';
import type { TimeRange } from '../list-hours.ts';
import type { ObjectStore, StoredObject } from '../object-store.ts';
import { showProgress } from '../progress.ts';
import { kindsOf, listObjects } from './objects.ts';
import type { Source } from './options.ts';
import { partOf, save, savePart } from './save.ts';
import { uniqueLines } from './unique-lines.ts';

/** How many objects are copied at once. */
const COPIES = 8;

/** What is there after copying. */
export interface Downloaded {
  /** Paths, in the order of keys. */
  readonly files: readonly string[];
  /** How many of them are new. */
  readonly copied: number;
}

/**
 * Copies objects into a folder, below it named as in the bucket. Published objects never change, so those that are
 * there already stay. What is in the folder of `landing/` is made anew: it holds what is not published yet, without
 * the events that have landed twice or have been published meanwhile.
 */
export async function download(
  store: ObjectStore,
  folder: string,
  source: Source,
  range: TimeRange,
  signal: AbortSignal,
): Promise<Downloaded> {
  const landed: string[] = [];
  const published: string[] = [];
  let copied = 0;

  async function copyLanded({ key }: StoredObject): Promise<void> {
    const body = await store.get(key);
    // One that is gone has been published since it was listed, and is met again there.
    if (body === undefined) return;
    await savePart(join(folder, key), body);
    landed.push(join(folder, key));
  }

  async function copyPublished({ key, bytes }: StoredObject): Promise<void> {
    const file = join(folder, key);
    published.push(file);
    if ((await sizeOf(file)) === bytes) return;
    const body = await store.get(key);
    if (body === undefined) throw new Error(`Cannot copy ${key}: it was listed a moment ago and is gone`);
    await save(file, body);
    copied += 1;
  }

  await rm(join(folder, 'landing'), { recursive: true, force: true });
  for (const kind of kindsOf(source)) {
    const objects = await Array.fromAsync(listObjects(store, kind, range));
    await copyEach(objects, kind, signal, kind === 'landing' ? copyLanded : copyPublished);
  }
  published.sort();
  const unpublished = landed.length === 0 ? [] : await keepUnpublished(landed.sort(), published);
  return { files: [...published, ...unpublished], copied: copied + unpublished.length };
}

/** Makes files of landed objects, with the lines that are in none of the published ones. Those without any go. */
async function keepUnpublished(landed: readonly string[], published: readonly string[]): Promise<string[]> {
  const lines = uniqueLines({});
  const files: string[] = [];
  for (const file of published) for (const _ of lines.of(file, await readFile(file)));
  for (const file of landed) {
    const rest = [...lines.of(file, await readFile(partOf(file)))];
    if (rest.length === 0) {
      await rm(partOf(file));
    } else {
      await save(file, Buffer.concat(rest));
      files.push(file);
    }
  }
  return files;
}

async function copyEach(
  objects: readonly StoredObject[],
  label: string,
  signal: AbortSignal,
  copy: (object: StoredObject) => Promise<void>,
): Promise<void> {
  const progress = showProgress(label, objects.length);
  let done = 0;
  const copyNext = async (object: StoredObject) => {
    await copy(object);
    done += 1;
    progress.update(done, 'objects');
  };
  await pMap(objects, copyNext, { concurrency: COPIES, signal });
  progress.end();
}

async function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
}
