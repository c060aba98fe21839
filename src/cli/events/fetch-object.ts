/** Copying one published object, and proving that the copy is what the log says. */

import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { PublishedObject } from '../../storage/published-object.ts';
import { fileOf } from '../folder-store.ts';
import type { ReadableStore } from '../object-store.ts';
import { unfinishedName } from './save-file.ts';

/** What became of an object: its file was right already, it was copied, or the bucket has no such object. */
export type FetchOutcome = 'kept' | 'fetched' | 'gone';

/**
 * Makes the file of an object. One that is there is kept when its checksum is right. A copy that broke off is gone on with.
 *
 * @throws When what the bucket has is not what the log says.
 */
export async function fetchObject(
  store: Pick<ReadableStore, 'read'>,
  folder: string,
  entry: PublishedObject,
): Promise<FetchOutcome> {
  const file = fileOf(folder, entry.key);
  if (await isRight(file, entry)) return 'kept';
  await mkdir(dirname(file), { recursive: true });
  const part = unfinishedName(file);
  const begun = await sizeOf(part);
  // More than the whole is no beginning of it.
  let sha256 = await append(store, part, entry.key, begun <= entry.bytes ? begun : 0);
  // What was begun may have been damaged since.
  if (begun > 0 && sha256 !== undefined && sha256 !== entry.sha256) sha256 = await append(store, part, entry.key, 0);
  if (sha256 === undefined) {
    await rm(part, { force: true });
    return 'gone';
  }
  if (sha256 !== entry.sha256) {
    await rm(part);
    throw new Error(
      `Cannot copy ${entry.key}: its SHA-256 is ${sha256}, and entry ${entry.sequence} of the log says ${entry.sha256}; npm run events -- verify shows what is wrong with the bucket`,
    );
  }
  await rename(part, file);
  return 'fetched';
}

/** Whether a file has the checksum of an object. */
async function isRight(file: string, { bytes, sha256 }: PublishedObject): Promise<boolean> {
  if ((await sizeOf(file)) !== bytes) return false;
  const hash = createHash('sha256');
  await digestFile(file, hash);
  return hash.digest('hex') === sha256;
}

/**
 * Appends to a file what an object has from an offset on.
 *
 * @returns The SHA-256 of the whole file, or undefined when there is no such object.
 */
async function append(
  store: Pick<ReadableStore, 'read'>,
  file: string,
  key: string,
  offset: number,
): Promise<string | undefined> {
  const hash = createHash('sha256');
  if (offset > 0) await digestFile(file, hash);
  const body = await store.read(key, offset);
  if (body === undefined) return undefined;
  const handle = await open(file, offset > 0 ? 'a' : 'w');
  try {
    for await (const chunk of body) {
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
  } finally {
    await handle.close();
  }
  return hash.digest('hex');
}

async function digestFile(file: string, hash: Hash): Promise<void> {
  for await (const chunk of createReadStream(file)) hash.update(chunk);
}

/** The size of a file, 0 when there is none. */
async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}
