/** A log of published objects, kept in a folder beside them so that the copy can be checked without the bucket. */

import type { PublishedObject } from '../../storage/published-object.ts';
import { fileOf, openFolder } from '../folder-store.ts';
import type { ReadableStore } from '../object-store.ts';
import { describeLogFinding } from './log-finding.ts';
import { bytesOf, type LogKind, readLog } from './published-log.ts';
import { saveFile } from './save-file.ts';

/**
 * Copies the entries that the folder does not have yet.
 *
 * @returns The whole log.
 * @throws When the log has a gap, and when the folder is a copy of another bucket.
 */
export async function copyLog<Entry extends PublishedObject>(
  store: ReadableStore,
  folder: string,
  log: LogKind<Entry>,
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const known = await readKnown(folder, log, signal);
  await checkSameBucket(store, folder, log, known.length);
  const { entries, findings } = await readLog(store, log, known.length, signal, ({ sequence }, body) =>
    saveFile(fileOf(folder, log.keyOf(sequence)), body),
  );
  if (findings.length > 0) {
    throw new Error(
      `Cannot follow the log of the bucket:\n${findings.map(describeLogFinding).join('\n')}\nNothing was copied; npm run events -- verify shows all that is wrong`,
    );
  }
  return [...known, ...entries];
}

/** The entries in the folder up to the first that is missing or damaged. What follows is copied again. */
async function readKnown<Entry extends PublishedObject>(folder: string, log: LogKind<Entry>, signal: AbortSignal) {
  const { entries } = await readLog(openFolder(folder), log, 0, signal);
  const end = entries.findIndex(({ sequence }, at) => sequence !== at + 1);
  return end === -1 ? entries : entries.slice(0, end);
}

/** A log only grows: what is the last entry here is an entry there. */
async function checkSameBucket(
  store: ReadableStore,
  folder: string,
  { prefix, keyOf }: Pick<LogKind<PublishedObject>, 'prefix' | 'keyOf'>,
  last: number,
): Promise<void> {
  if (last === 0) return;
  const [here, there] = [await bytesOf(openFolder(folder), keyOf(last)), await bytesOf(store, keyOf(last))];
  if (there === undefined || here?.equals(there) !== true) {
    throw new Error(
      `Cannot copy into ${folder}: entry ${last} of its ${prefix} is not the one of this bucket; name another folder`,
    );
  }
}
