/** Copying one published part, and proving that the copy is what the log says. */

import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, rename, rm, utimes } from 'node:fs/promises';
import type { LogEntry } from '../../storage/log-entry.ts';
import type { ReadableStore } from '../object-store.ts';
import { openOwn, preparedFile, unfinishedName } from './save-file.ts';

/** How many objects are copied at once. */
export const COPIES = 8;

/** What became of an object: its file was right already, it was copied, or the bucket has no such object. */
export type FetchOutcome = 'kept' | 'fetched' | 'gone';

/**
 * Makes the file of a part. One that is there is kept when its checksum is right. An interrupted download is resumed.
 *
 * The file gets the time of its entry, by which {@link isAsFetched} knows it again.
 *
 * @throws When what the bucket has is not what the log says.
 */
export async function fetchObject(
  store: Pick<ReadableStore, 'read'>,
  folder: string,
  entry: LogEntry,
): Promise<FetchOutcome> {
  const file = await preparedFile(folder, entry.key);
  if (await isRight(file, entry)) {
    await setTime(file, entry);
    return 'kept';
  }
  const part = unfinishedName(file);
  const begun = await sizeOf(part);
  // A file that is longer than the part is not its beginning.
  let sha256 = await appendObject(store, part, entry.key, begun <= entry.bytes ? begun : 0);
  // What was begun may have been damaged since.
  if (begun > 0 && sha256 !== undefined && sha256 !== entry.sha256)
    sha256 = await appendObject(store, part, entry.key, 0);
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
  await setTime(part, entry);
  await rename(part, file);
  return 'fetched';
}

/**
 * Whether a file has the size and the time that it got when its checksum was found right: whoever has changed it since has
 * changed its time. Digesting a year of files each time would take hours.
 */
export function isAsFetched(
  { bytes, modified }: { readonly bytes: number; readonly modified: Date },
  entry: LogEntry,
): boolean {
  return bytes === entry.bytes && modified.getTime() === Date.parse(entry.committed_at);
}

function setTime(file: string, { committed_at }: LogEntry): Promise<void> {
  return utimes(file, new Date(), new Date(committed_at));
}

/** Whether a file has the checksum of a part. */
async function isRight(file: string, { bytes, sha256 }: LogEntry): Promise<boolean> {
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
export async function appendObject(
  store: Pick<ReadableStore, 'read'>,
  file: string,
  key: string,
  offset: number,
): Promise<string | undefined> {
  const hash = createHash('sha256');
  if (offset > 0) await digestFile(file, hash);
  const body = await store.read(key, offset);
  if (body === undefined) return undefined;
  const handle = await openOwn(file, offset > 0 ? 'append' : 'begin');
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

/** The size of a file; 0 when it does not exist, or is a link. */
export async function sizeOf(file: string): Promise<number> {
  return lstat(file).then(
    (found) => (found.isFile() ? found.size : 0),
    () => 0,
  );
}
