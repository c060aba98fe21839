/** Which columnar object is written next, and of which parts. Pure. */

import * as v from 'valibot';
import { parquetKey } from '../../storage/keys.ts';
import { rangesOf, type SequenceRange, sequencesOf } from '../../storage/parquet-entry.ts';

/** What is kept of an entry of the log of parts until a columnar object covers it. */
export const UncoveredSchema = v.object({
  sequence: v.number(),
  key: v.string(),
  /** The part that this one takes the place of, or null. */
  replaces: v.nullable(v.string()),
  rows: v.number(),
  /** Milliseconds since 1970. */
  committed_at: v.number(),
});

/** An entry of the log of parts. */
export type Uncovered = v.InferOutput<typeof UncoveredSchema>;

/** Entries that no object covers, by the day of their rows. */
export type UncoveredByDay = Readonly<Record<string, readonly Uncovered[]>>;

/** An object that is to be written. */
export const PlannedObjectSchema = v.object({
  day: v.string(),
  key: v.string(),
  /** The object that goes when this one is there, or null. */
  replaces: v.nullable(v.string()),
  covers: v.array(v.tuple([v.number(), v.number()])),
  /** The parts to read, in the order of the log. */
  parts: v.array(v.string()),
});

/** An object that is to be written. */
export type PlannedObject = v.InferOutput<typeof PlannedObjectSchema>;

/** What bounds an object. */
export interface ObjectLimits {
  readonly objectRows: number;
  readonly objectParts: number;
  readonly lateMs: number;
}

const MS_PER_DAY = 86_400_000;

/**
 * The first day that has something to write: it is complete, and what came late has waited for company.
 *
 * @param completeThrough - Every event before this moment is in a part; milliseconds since 1970, as is `now`.
 */
export function nextDay(
  uncovered: UncoveredByDay,
  completeThrough: number,
  now: number,
  { lateMs }: Pick<ObjectLimits, 'lateMs'>,
): string | undefined {
  return Object.keys(uncovered)
    .sort()
    .find((day) => {
      const entries = uncovered[day] ?? [];
      const dayEnds = Date.parse(day) + MS_PER_DAY;
      if (dayEnds > completeThrough || entries.length === 0) return false;
      // Of a day that has just ended everything is on time; an erasure must not wait.
      return entries.some(
        ({ replaces, committed_at }) =>
          replaces !== null || committed_at < dayEnds + lateMs || committed_at + lateMs <= now,
      );
    });
}

/** Entries that take the place of a part that an object covers already. */
export function replacementsOfCovered(entries: readonly Uncovered[]): readonly Uncovered[] {
  const keys = new Set(entries.map(({ key }) => key));
  return entries.filter(({ replaces }) => replaces !== null && !keys.has(replaces));
}

/**
 * Plans an object of parts that none covers yet: as many as fit, at least one. What has replaced one of them meanwhile is
 * read in its place and covered with it.
 */
export function planNew(day: string, entries: readonly Uncovered[], limits: ObjectLimits): PlannedObject {
  const chosen: Uncovered[] = [];
  let rows = 0;
  for (const entry of entries.filter(({ replaces }) => replaces === null)) {
    if (chosen.length > 0 && (rows + entry.rows > limits.objectRows || chosen.length === limits.objectParts)) break;
    chosen.push(entry);
    rows += entry.rows;
  }
  return planObject(day, withReplacements(chosen, entries), null);
}

/**
 * Plans an object in place of one whose parts were replaced.
 *
 * @param covered - The entries that the object covers.
 */
export function planReplacement(
  day: string,
  covered: readonly Uncovered[],
  entries: readonly Uncovered[],
  replaces: string,
): PlannedObject {
  return planObject(day, withReplacements(covered, entries), replaces);
}

/**
 * Plans an object in place of one that shows guests in another way.
 *
 * @param sequence - Of the entry that the log is to have of it.
 */
export function planAnew(
  day: string,
  covered: readonly Uncovered[],
  entries: readonly Uncovered[],
  replaces: string,
  sequence: number,
): PlannedObject {
  return planObject(day, withReplacements(covered, entries), replaces, sequence);
}

/** The sequences that an object covers. */
export function isCovered(covers: readonly SequenceRange[], sequence: number): boolean {
  return covers.some(([first, last]) => first <= sequence && sequence <= last);
}

function withReplacements(chosen: readonly Uncovered[], entries: readonly Uncovered[]): Uncovered[] {
  const keys = new Set(chosen.map(({ key }) => key));
  const all = [...chosen];
  // A replacement comes after what it replaces, so one pass follows every chain.
  for (const entry of entries) {
    if (entry.replaces === null || !keys.has(entry.replaces)) continue;
    keys.add(entry.key);
    all.push(entry);
  }
  return all.sort((left, right) => left.sequence - right.sequence);
}

function planObject(
  day: string,
  entries: readonly Uncovered[],
  replaces: string | null,
  again?: number,
): PlannedObject {
  const covers = rangesOf(entries.map(({ sequence }) => sequence));
  const [first = 0] = sequencesOf(covers);
  const last = covers.at(-1)?.[1] ?? first;
  return { day, key: parquetKey(day, first, last, again), replaces, covers, parts: liveParts(entries) };
}

/** The parts that stand when every replacement has been made, each in the place of the first that it stands for. */
function liveParts(entries: readonly Uncovered[]): string[] {
  const live: string[] = [];
  for (const { key, replaces } of entries) {
    const at = replaces === null ? -1 : live.indexOf(replaces);
    if (at === -1) live.push(key);
    else live[at] = key;
  }
  return live;
}
