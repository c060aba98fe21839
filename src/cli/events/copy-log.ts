/** Copies the log of parts into a folder, beside the parts, so that the copy can be verified without the bucket. */

import { LOG_PREFIX, logKey } from '../../storage/keys.ts';
import type { LogEntry } from '../../storage/log-entry.ts';
import { createFolderStore } from '../folder-store.ts';
import type { ReadableStore } from '../object-store.ts';
import { readLog } from './published-log.ts';
import { saveFile } from './save-file.ts';

/**
 * Copies the log entries that the folder does not have yet.
 *
 * @returns The whole log.
 * @throws When the log has a gap, and when the folder is a copy of another bucket.
 */
export async function copyLog(store: ReadableStore, folder: string, signal: AbortSignal): Promise<readonly LogEntry[]> {
  const known = await readKnown(folder, signal);
  await checkSameBucket(store, folder, known.length);
  const { entries, findings } = await readLog(store, known.length, signal, ({ sequence }, body) =>
    saveFile(folder, logKey(sequence), body),
  );
  if (findings.length > 0) {
    throw new Error(
      `Cannot follow the log of the bucket:\n${findings.join('\n')}\nNothing was copied; npm run events -- verify shows all that is wrong`,
    );
  }
  return [...known, ...entries];
}

/** The entries in the folder before the first missing or damaged one. Later ones are copied again. */
async function readKnown(folder: string, signal: AbortSignal) {
  const { entries } = await readLog(createFolderStore(folder), 0, signal);
  const end = entries.findIndex(({ sequence }, at) => sequence !== at + 1);
  return end === -1 ? entries : entries.slice(0, end);
}

/** A log is append-only: the last entry of the folder must equal the entry with that number in the bucket. */
async function checkSameBucket(store: ReadableStore, folder: string, last: number): Promise<void> {
  if (last === 0) return;
  const [here, there] = [await createFolderStore(folder).get(logKey(last)), await store.get(logKey(last))];
  if (here === undefined || there === undefined || Buffer.compare(here, there) !== 0) {
    throw new Error(
      `Cannot copy into ${folder}: entry ${last} of its ${LOG_PREFIX} is not the one of this bucket; name another folder`,
    );
  }
}
