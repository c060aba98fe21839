/** A folder filled by `npm run events -- pull`: files are named by the keys of their objects. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredObject } from './object-store/xml.ts';
import type { ReadableStore } from './object-store.ts';

/** Path segments that are empty or dots, or that Windows reads differently (a drive, a stream, a backslash). */
const UNSAFE_NAME = /^\.{0,2}$|[\\:\0]/;

/**
 * The path of an object's file.
 *
 * @throws When the key would lead out of the folder. Others may be able to write keys to the bucket.
 */
export function fileOf(folder: string, key: string): string {
  if (key.split('/').some((name) => UNSAFE_NAME.test(name))) {
    throw new Error(
      `Cannot make a file of ${JSON.stringify(key)}: the key is not a path below a folder; delete that object`,
    );
  }
  return join(folder, key);
}

/**
 * Creates a store that reads a folder like a bucket; a missing folder lists nothing. File calls are synchronous: for
 * small files read one by one, of which a copy has a hundred thousand a year, each call takes a tenth of the time.
 */
export function createFolderStore(folder: string): ReadableStore {
  return {
    async *list(prefix, after = '') {
      yield* filesBelow(folder, '', prefix, after);
    },
    async get(key) {
      const file = fileOf(folder, key);
      return existsSync(file) ? Uint8Array.from(readFileSync(file)) : undefined;
    },
  };
}

/**
 * Lists files whose keys have a prefix and come after a key, in key order. Folders that cannot hold any are not read,
 * and links are not followed.
 *
 * @param above - Key of the folder, with a trailing slash; empty for the top.
 */
function* filesBelow(folder: string, above: string, prefix: string, after: string): Generator<StoredObject> {
  const top = join(folder, above);
  if (!existsSync(top)) return;
  const entries = readdirSync(top, { withFileTypes: true });
  // A folder sorts like the keys in it: "a-1" comes before "a/1".
  const names = entries.flatMap((entry) => {
    if (entry.isDirectory()) return [`${entry.name}/`];
    return entry.isFile() ? [entry.name] : [];
  });
  for (const name of names.sort()) {
    const key = above + name;
    if (name.endsWith('/')) {
      const mayHold = key.startsWith(prefix) || prefix.startsWith(key);
      if (mayHold && (key > after || after.startsWith(key))) yield* filesBelow(folder, key, prefix, after);
    } else if (key.startsWith(prefix) && key > after) {
      const { size, mtime } = statSync(join(folder, key));
      yield { key, bytes: size, modified: mtime };
    }
  }
}
