/** Creates folders that only their owner can read. */

import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and those above it, as far as they are missing. The option `recursive` of Node.js does not return
 * where a folder cannot be created although the one above it is there, as in `/proc`.
 *
 * @throws What the file system says, also when a file is in the way.
 */
export function makeFolder(folder: string): void {
  const above = dirname(folder);
  if (!existsSync(above)) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
