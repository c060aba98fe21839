/**
 * Turning the next log entries into a change of the table: new parts are appended, files with replaced parts rewritten.
 *
 * At every moment the table has the parts that were current after the last entry that it reflects, under their
 * sequences. A part that a later entry has replaced is read in its present form, and rewritten under the sequence of
 * that entry when the table gets there.
 */

import type { DataFile } from '../storage/iceberg/manifest.ts';
import { dayOfPartition } from '../storage/keys.ts';
import type { LogEntry } from '../storage/log-entry.ts';
import { buildFiles } from './build-files.ts';
import type { Step } from './change.ts';
import { FilesOfDay, rewriteFiles } from './rewrite.ts';
import type { Attempt } from './tools.ts';

/**
 * Makes the next change.
 *
 * @param entries - The log entries after the sequence that the table reflects; at least one.
 * @param filesOf - Finds the data files of a day, `YYYY-MM-DD`.
 */
export function followLog(
  attempt: Attempt,
  entries: readonly LogEntry[],
  filesOf: (day: string) => Promise<DataFile[]>,
): Promise<Step> {
  return entries[0]?.replaces === null ? appendParts(attempt, entries) : replaceParts(attempt, entries, filesOf);
}

/** Appends parts as one file per day. */
async function appendParts(attempt: Attempt, entries: readonly LogEntry[]): Promise<Step> {
  const { stepRows, stepParts } = attempt.limits;
  const added: LogEntry[] = [];
  let rows = 0;
  for (const entry of entries) {
    const isFull = rows + entry.rows > stepRows || added.length === stepParts;
    if (entry.replaces !== null || (added.length > 0 && isFull)) break;
    added.push(entry);
    rows += entry.rows;
  }
  const add: DataFile[] = [];
  for (const [day, some] of Map.groupBy(added, ({ partition }) => dayOfPartition(partition)))
    add.push(...(await buildFiles(attempt, day, some)));
  const through = added.at(-1)?.sequence;
  return { change: { operation: 'append', add, remove: [], through }, rows, parts: added.length };
}

/** Rewrites the files that hold replaced parts. */
async function replaceParts(
  attempt: Attempt,
  entries: readonly LogEntry[],
  filesOf: (day: string) => Promise<DataFile[]>,
): Promise<Step> {
  const days = new Map<string, { readonly day: FilesOfDay; readonly files: Set<DataFile> }>();
  /** The entries followed, by the keys of the parts that they replace. */
  const followed = new Map<string, LogEntry>();
  let rows = 0;
  for (const entry of entries) {
    // A part that comes with this change can only be replaced by the next.
    if (entry.replaces === null || [...followed.values()].some(({ key }) => key === entry.replaces)) break;
    const date = dayOfPartition(entry.partition);
    const known = days.get(date) ?? { day: new FilesOfDay(attempt, await filesOf(date)), files: new Set() };
    days.set(date, known);
    const files = await known.day.together(await known.day.holdingPart(entry.replaces));
    const more = files.filter((file) => !known.files.has(file)).reduce((sum, file) => sum + file.record_count, 0);
    if (followed.size > 0 && rows + more > attempt.limits.stepRows) break;
    for (const file of files) known.files.add(file);
    rows += more;
    followed.set(entry.replaces, entry);
  }
  const [add, remove]: [DataFile[], DataFile[]] = [[], []];
  let parts = 0;
  for (const { day, files } of days.values()) {
    const built = await rewriteFiles(attempt, day, [...files], followed);
    add.push(...built.files);
    remove.push(...files);
    parts += built.parts;
  }
  const through = [...followed.values()].at(-1)?.sequence;
  return { change: { operation: 'overwrite', add, remove, through, erases: true }, rows, parts };
}
