/** Writes files atomically and readable by the owner only: they hold guests' data. */

import { lstat, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileOf } from '../folder-store.ts';
import { makeFolder } from '../make-folder.ts';

/**
 * Writes the file of an object under a temporary name and renames it, so that a file with the right name is always
 * complete. Whatever has the temporary name, such as a link, is deleted first: only a new file is written, so no link
 * can redirect it.
 */
export async function saveFile(folder: string, key: string, body: Uint8Array): Promise<void> {
  const file = await preparedFile(folder, key);
  const unfinished = `${file}.part`;
  await rm(unfinished, { recursive: true, force: true });
  await writeFile(unfinished, body, { mode: 0o600, flag: 'wx' });
  await rename(unfinished, file);
}

/** Folders that were already checked: there is one for each hour, and each holds many files. */
const prepared = new Set<string>();

/**
 * Creates the folders of an object's file.
 *
 * @returns The path of the file.
 * @throws When one of the folders is a link, which may lead out of the copy.
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
  makeFolder(parent);
  prepared.add(parent);
  return file;
}
