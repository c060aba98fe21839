/**
 * Turning the next log entries into a change of the table: new parts are appended, files with replaced parts rewritten.
 */

import type { DataFile } from '../storage/iceberg/manifest.ts';
import type { LogEntry } from '../storage/log-entry.ts';
import { buildFiles, type Source } from './build-files.ts';
import type { Change } from './change.ts';
import { dayOfEntry, type Replacements, replacementsIn } from './log.ts';
import { FilesOfDay, rewriteFiles } from './rewrite.ts';
import type { Attempt } from './tools.ts';

/** A change that can be committed, and how much was read and written for it; or what it lacks. */
export type Step = { readonly change: Change; readonly rows: number; readonly parts: number } | Missing;

/** The key of a part that cannot be read unless another has replaced it, and the error if none has. */
interface Missing {
  readonly missing: string;
  readonly otherwise?: string;
}

export type FilesByDay = (day: string) => Promise<DataFile[]>;

/**
 * Makes the next change.
 *
 * @param entries - The log entries after the sequence that the table reflects; at least one.
 * @param ahead - The known log entries after those.
 */
export function followLog(
  attempt: Attempt,
  entries: readonly LogEntry[],
  ahead: readonly LogEntry[],
  filesOf: FilesByDay,
): Promise<Step> {
  const isNew = newEntries(entries);
  const [first] = entries;
  const next = { entries, replacements: replacementsIn([...entries, ...ahead]), isNew };
  return first !== undefined && isNew(first) ? appendParts(attempt, next) : replaceParts(attempt, next, filesOf);
}

interface Next {
  readonly entries: readonly LogEntry[];
  readonly replacements: Replacements;
  readonly isNew: (entry: LogEntry) => boolean;
}

/** Tells parts that are new to the table in any form from replacements of parts that it has. */
function newEntries(entries: readonly LogEntry[]): (entry: LogEntry) => boolean {
  const keys = new Set(entries.map(({ key }) => key));
  return ({ replaces }) => replaces === null || keys.has(replaces);
}

/** Appends parts as one file per day. A part that was replaced meanwhile is read in its new form. */
async function appendParts(attempt: Attempt, { entries, replacements, isNew }: Next): Promise<Step> {
  const { stepRows, stepParts } = attempt.limits;
  const sources = new Map<string, Source[]>();
  let [rows, parts] = [0, 0];
  let through = 0;
  for (const entry of entries) {
    if (!isNew(entry)) break;
    if (entry.replaces === null) {
      if (parts > 0 && (rows + entry.rows > stepRows || parts === stepParts)) break;
      const day = dayOfEntry(entry);
      const { sequence, key } = replacements(entry.key).at(-1) ?? entry;
      sources.set(day, [...(sources.get(day) ?? []), { sequence, key }]);
      rows += entry.rows;
      parts += 1;
    }
    through = entry.sequence;
  }
  const add: DataFile[] = [];
  for (const [day, some] of sources) {
    const built = await buildFiles(attempt, day, some);
    if ('missing' in built) return built;
    add.push(...built.files);
  }
  return { change: { operation: 'append', add, remove: [], log: logged(entries, through) }, rows, parts };
}

/** Rewrites the files that hold replaced parts. */
async function replaceParts(
  attempt: Attempt,
  { entries, replacements, isNew }: Next,
  filesOf: FilesByDay,
): Promise<Step> {
  const days = new Map<string, { readonly day: FilesOfDay; readonly files: Set<DataFile> }>();
  let rows = 0;
  let through = 0;
  for (const entry of entries) {
    if (isNew(entry)) break;
    const date = dayOfEntry(entry);
    const known = days.get(date) ?? { day: new FilesOfDay(attempt, await filesOf(date)), files: new Set() };
    days.set(date, known);
    const replaced = await filesOfReplaced(known.day, entry, replacements);
    if ('missing' in replaced) return replaced;
    const files = await known.day.together(replaced);
    const more = files.filter((file) => !known.files.has(file)).reduce((sum, file) => sum + file.record_count, 0);
    if (through > 0 && rows + more > attempt.limits.stepRows) break;
    for (const file of files) known.files.add(file);
    rows += more;
    through = entry.sequence;
  }
  const [add, remove]: [DataFile[], DataFile[]] = [[], []];
  let parts = 0;
  for (const { day, files } of days.values()) {
    const built = await rewriteFiles(attempt, day, [...files], replacements);
    if ('missing' in built) return built;
    add.push(...built.files);
    remove.push(...files);
    parts += built.parts;
  }
  const log = logged(entries, through);
  return { change: { operation: 'overwrite', add, remove, log, erases: remove.length > 0 }, rows, parts };
}

/** The files that hold the part that an entry replaces: none, when a run has already read the new part instead. */
async function filesOfReplaced(
  day: FilesOfDay,
  entry: LogEntry,
  replacements: Replacements,
): Promise<DataFile[] | Missing> {
  for (const [sequence, key] of await day.keys()) {
    if (key === entry.replaces) {
      const files = await day.holding(sequence);
      if (files.length > 0) return files;
    }
  }
  const chain = [entry, ...replacements(entry.key)];
  for (const { sequence } of chain) {
    if ((await day.holding(sequence)).length > 0) return [];
  }
  return {
    missing: chain.at(-1)?.key ?? entry.key,
    otherwise: `Cannot bring the table in line with entry ${entry.sequence} of the log: no data file holds the rows of ${entry.replaces}; see what "events -- verify" says`,
  };
}

function logged(entries: readonly LogEntry[], through: number): { from: number; through: number } {
  return { from: (entries[0]?.sequence ?? 1) - 1, through };
}
