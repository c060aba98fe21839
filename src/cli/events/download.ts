/** Copying objects to files. */

import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pMap from 'p-map';
import type { TimeRange } from '../list-hours.ts';
import type { ObjectStore, StoredObject } from '../object-store.ts';
import { showProgress } from '../progress.ts';
import { kindsOf, listObjects } from './objects.ts';
import type { Source } from './options.ts';
import { save } from './save.ts';
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
  await rm(join(folder, 'landing'), { recursive: true, force: true });
  const landed = new Map<string, Uint8Array>();
  const published: string[] = [];
  let copied = 0;
  for (const kind of kindsOf(source)) {
    await copyEach(await Array.fromAsync(listObjects(store, kind, range)), kind, signal, async ({ key, bytes }) => {
      const file = join(folder, key);
      if (kind === 'events') published.push(file);
      if (kind === 'events' && (await sizeOf(file)) === bytes) return;
      const body = await store.get(key);
      if (kind === 'landing') {
        // It has been published since it was listed, and is met again there.
        if (body !== undefined) landed.set(key, body);
        return;
      }
      if (body === undefined) throw new Error(`Cannot copy ${key}: it was listed a moment ago and is gone`);
      await save(file, body);
      copied += 1;
    });
  }
  published.sort();
  const unpublished = await saveUnpublished(folder, landed, published);
  return { files: [...published, ...unpublished], copied: copied + unpublished.length };
}

/** Writes the lines of landed objects that are in none of these files. */
async function saveUnpublished(folder: string, landed: ReadonlyMap<string, Uint8Array>, published: readonly string[]) {
  const lines = uniqueLines({});
  const files: string[] = [];
  if (landed.size === 0) return files;
  for (const file of published) for (const _ of lines.of(file, await readFile(file)));
  for (const [key, body] of [...landed].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const rest = [...lines.of(key, body)];
    if (rest.length === 0) continue;
    const file = join(folder, key);
    await save(file, Buffer.concat(rest));
    files.push(file);
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
