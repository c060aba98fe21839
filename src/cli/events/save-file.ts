/** Writing files that are whole or not there, and that nobody else may read: they hold guests' data. */

import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileOf } from '../folder-store.ts';

/** Writes the file of an object under another name first, so that one with the right name is always whole. */
export async function saveFile(folder: string, key: string, body: Uint8Array): Promise<void> {
  const file = await preparedFile(folder, key);
  const unfinished = `${file}.part`;
  const handle = await openOwn(unfinished);
  try {
    await handle.writeFile(body);
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
}

/** Folders that were looked at: there is one for each hour, and each holds many files. */
const prepared = new Set<string>();

/**
 * Makes the folders of an object's file.
 *
 * @returns The path of the file.
 * @throws When one of them is a link, which may lead out of the copy.
 */
export async function preparedFile(folder: string, key: string): Promise<string> {
  const file = fileOf(folder, key);
  const parent = dirname(file);
  if (prepared.has(parent)) return file;
  let path = folder;
  for (const name of key.split('/').slice(0, -1)) {
    path = join(path, name);
    const found = await lstat(path).catch(() => undefined);
    if (found === undefined) break;
    if (!found.isDirectory()) {
      throw new Error(`Cannot write ${file}: ${path} is a link or a file, and a folder is needed there; move it away`);
    }
  }
  await mkdir(parent, { recursive: true, mode: 0o700 });
  prepared.add(parent);
  return file;
}

/** Opens a file for writing that is this user's alone. What is there and is no file, such as a link, goes. */
async function openOwn(file: string): Promise<FileHandle> {
  const found = await lstat(file).catch(() => undefined);
  if (found !== undefined && !found.isFile()) await rm(file, { recursive: true });
  const { O_CREAT, O_WRONLY, O_TRUNC, O_NOFOLLOW } = constants;
  // Windows knows no O_NOFOLLOW.
  return open(file, O_CREAT | O_WRONLY | O_TRUNC | (O_NOFOLLOW ?? 0), 0o600);
}
