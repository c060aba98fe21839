/** Rewriting files of complete days, or files that show guests differently than required, as a change of the table. */

import type { DataFile } from '../storage/iceberg/manifest.ts';
import { DAY_MS } from '../storage/keys.ts';
import type { Change, Step } from './change.ts';
import { parseDataFileName } from './data-file-key.ts';
import { FilesOfDay, rewriteFiles } from './rewrite.ts';
import type { Attempt } from './tools.ts';

/**
 * Merges small files of a complete day.
 *
 * @param completeThrough - Every event before this time is in the table; milliseconds since 1970.
 * @returns Undefined when there is nothing to merge.
 */
export async function joinFiles(
  attempt: Attempt,
  files: readonly DataFile[],
  completeThrough: number,
): Promise<Step | undefined> {
  const { fileRows, stepRows, stepParts } = attempt.limits;
  for (const [day, ofDay] of Map.groupBy(files, ({ partition }) => partition.received_at_day)) {
    if ((day + 1) * DAY_MS > completeThrough) continue;
    const small = ofDay.filter(
      (file) => parseDataFileName(file.file_path).fullness === 'open' && file.record_count < fileRows / 2,
    );
    if (small.length < 2) continue;
    const known = new FilesOfDay(attempt, ofDay);
    const chosen: DataFile[] = [];
    let [rows, parts] = [0, 0];
    for (const file of small) {
      const more = (await known.partsOf(file)).length;
      if (chosen.length > 1 && (rows + file.record_count > stepRows || parts + more > stepParts)) break;
      chosen.push(file);
      rows += file.record_count;
      parts += more;
    }
    return stepOf(attempt, known, chosen, { operation: 'replace' });
  }
  return undefined;
}

/**
 * Rewrites files that show guests differently than the table is to show them.
 *
 * @returns Undefined when there are none.
 */
export async function hideGuests(attempt: Attempt, files: readonly DataFile[]): Promise<Step | undefined> {
  const first = files.find(({ file_path }) => parseDataFileName(file_path).guests !== attempt.guests.mark);
  if (first === undefined) return undefined;
  const day = first.partition.received_at_day;
  const known = new FilesOfDay(
    attempt,
    files.filter(({ partition }) => partition.received_at_day === day),
  );
  return stepOf(attempt, known, await known.together([first]), { operation: 'overwrite', erases: true });
}

async function stepOf(
  attempt: Attempt,
  day: FilesOfDay,
  remove: readonly DataFile[],
  manner: Pick<Change, 'operation' | 'erases'>,
): Promise<Step> {
  const { files, parts } = await rewriteFiles(attempt, day, remove);
  const rows = remove.reduce((sum, file) => sum + file.record_count, 0);
  return { change: { ...manner, add: files, remove }, rows, parts };
}
