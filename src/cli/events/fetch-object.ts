/** Copies one published part and checks the copy against the log. */

import { hash } from 'node:crypto';
import { lstat, readFile, utimes } from 'node:fs/promises';
import type { LogEntry } from '../../storage/log-entry.ts';
import type { ReadableStore } from '../object-store.ts';
import { preparedFile, saveFile } from './save-file.ts';

/** Objects that are copied concurrently. */
export const COPIES = 8;

/**
 * Makes sure that a folder has the file of a part. An existing file with the right checksum is kept.
 *
 * The file gets the time of its log entry, by which {@link isAsFetched} recognises it.
 *
 * @returns Whether the file was already correct, was copied, or the bucket has no such object.
 * @throws When the object in the bucket does not match the log.
 */
export async function fetchObject(
  store: Pick<ReadableStore, 'get'>,
  folder: string,
  entry: LogEntry,
): Promise<'kept' | 'fetched' | 'gone'> {
  const file = await preparedFile(folder, entry.key);
  if ((await sizeOf(file)) === entry.bytes && hash('sha256', await readFile(file)) === entry.sha256) {
    await setTime(file, entry);
    return 'kept';
  }
  const body = await store.get(entry.key);
  if (body === undefined) return 'gone';
  const sha256 = hash('sha256', body);
  if (sha256 !== entry.sha256) {
    throw new Error(
      `Cannot copy ${entry.key}: its SHA-256 is ${sha256}, and entry ${entry.sequence} of the log says ${entry.sha256}; npm run events -- verify shows what is wrong with the bucket`,
    );
  }
  await saveFile(folder, entry.key, body);
  await setTime(file, entry);
  return 'fetched';
}

/**
 * Whether a file still has the size and time that it got when its checksum was verified: a later change would have
 * changed the time. Hashing a year of files on every run would take hours.
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

/** Size of a file in bytes; 0 if it does not exist or is a link. */
export async function sizeOf(file: string): Promise<number> {
  return lstat(file).then(
    (found) => (found.isFile() ? found.size : 0),
    () => 0,
  );
}
