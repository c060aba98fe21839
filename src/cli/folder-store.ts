/** A folder that `npm run events -- pull` fills: files named by the keys of their objects. */

import { createReadStream, existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ReadableStore } from './object-store.ts';

/** Names that are no part of a path, or another one than they seem (Windows: a drive, a stream, a backslash). */
const UNSAFE_NAME = /^\.{0,2}$|[\\:\0]/;

/**
 * The path of an object's file.
 *
 * @throws When the key would lead out of the folder. Keys come from a bucket that others may write to.
 */
export function fileOf(folder: string, key: string): string {
  if (key.split('/').some((name) => UNSAFE_NAME.test(name))) {
    throw new Error(
      `Cannot make a file of ${JSON.stringify(key)}: the key is no path below a folder; delete that object`,
    );
  }
  return join(folder, key);
}

/** Opens a folder to be read like a bucket. What is not there is an empty listing. */
export function openFolder(folder: string): ReadableStore {
  return {
    async *list(prefix, after = '') {
      const top = join(folder, prefix.slice(0, prefix.lastIndexOf('/') + 1));
      if (!existsSync(top)) return;
      const found = await readdir(top, { recursive: true, withFileTypes: true });
      const keys = found
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
        .filter((key) => key.startsWith(prefix) && key > after)
        .sort();
      for (const key of keys) {
        const { size, mtime } = await stat(join(folder, key));
        yield { key, bytes: size, modified: mtime };
      }
    },
    async read(key, from = 0) {
      const file = fileOf(folder, key);
      return existsSync(file) ? createReadStream(file, { start: from }) : undefined;
    },
  };
}
