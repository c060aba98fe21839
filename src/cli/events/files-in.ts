/** The events that an earlier `pull` has copied. */

import { existsSync } from 'node:fs';
import { fileOf, openFolder } from '../folder-store.ts';
import { overlaps, type TimeRange } from '../list-hours.ts';
import { readLog, standing } from './published-log.ts';

/**
 * Finds the files that hold each event of some hours once.
 *
 * @returns Paths.
 * @throws When the folder does not hold all parts that its log names, since an answer without them would be wrong.
 */
export async function filesIn(folder: string, range: TimeRange, signal: AbortSignal): Promise<readonly string[]> {
  const { entries, findings } = await readLog(openFolder(folder), 0, signal);
  const files = [...standing(entries).values()]
    .filter(({ partition }) => overlaps(range, partition))
    .map(({ key }) => fileOf(folder, key));
  if (entries.length === 0 || findings.length > 0 || !files.every((file) => existsSync(file))) {
    throw new Error(
      `Cannot ask about ${folder}: it is no whole copy of these hours; run npm run events -- pull ${folder} with the same --from and --to`,
    );
  }
  return files;
}
