/** Writing a folder so that a service that is serving it never sees half of it. */

import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/** The files of a folder, by their relative paths. */
export type Files = ReadonlyMap<string, string | Uint8Array>;

/**
 * Makes a folder hold these files and no others. Unchanged files are not touched and the others are replaced
 * atomically, so that builds may run concurrently.
 */
export async function writeFolder(folder: string, files: Files): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [path, content] of files)
    await writeWhenNew(join(folder, path), Buffer.from(content), `${folder}.${process.pid}.draft`);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).replaceAll(sep, '/');
    if (entry.isFile() && !files.has(name)) await rm(path, { force: true });
  }
}

/** The draft is written beside the folder, where no concurrent build removes it as an unknown file. */
async function writeWhenNew(path: string, content: Buffer, draft: string): Promise<void> {
  const written = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (written?.equals(content)) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(draft, content);
  await rename(draft, path);
}
