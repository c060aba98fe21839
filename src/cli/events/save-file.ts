/** Writing files that are whole or not there. */

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What a file is called until it is whole. */
export function unfinishedName(file: string): string {
  return `${file}.part`;
}

/** Writes a file under another name first, so that one with the right name is always whole. Makes its folder. */
export async function saveFile(file: string, body: Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(unfinishedName(file), body);
  await rename(unfinishedName(file), file);
}
