/** Which columnar objects can be read in place of which parts. Pure. */

import type { LogEntry } from '../../storage/log-entry.ts';
import { type ParquetEntry, sequencesOf } from '../../storage/parquet-entry.ts';
import { standing } from './published-log.ts';

/** What the log of parts came to. */
export interface Lineage {
  /** The parts that stand, by key. */
  readonly parts: ReadonlyMap<string, LogEntry>;
  /** For each sequence of the log, the current part: its own, or the one that has replaced it. */
  readonly bySequence: ReadonlyMap<number, LogEntry>;
}

/** Follows every replacement. */
export function lineageOf(entries: readonly LogEntry[]): Lineage {
  const parts = standing(entries);
  const byKey = new Map<string, LogEntry>();
  const bySequence = new Map<number, LogEntry>();
  // From the last to the first: what has replaced an entry comes after it.
  for (const entry of entries.toReversed()) {
    const current = byKey.get(entry.key) ?? entry;
    bySequence.set(entry.sequence, current);
    if (entry.replaces !== null) byKey.set(entry.replaces, current);
  }
  return { parts, bySequence };
}

/**
 * The columnar objects that hold exactly what their parts hold now, each part in one object.
 *
 * One that was written before one of its parts was replaced still has an erased guest; one that leaves out the columns of
 * guests, or has pseudonyms in them, answers differently from the parts.
 */
export function currentObjects(
  { bySequence }: Lineage,
  entries: readonly ParquetEntry[],
): Map<ParquetEntry, readonly LogEntry[]> {
  const taken = new Set<LogEntry>();
  const current = new Map<ParquetEntry, readonly LogEntry[]>();
  for (const entry of standing(entries).values()) {
    const covered = new Set(sequencesOf(entry.covers));
    const parts = new Set<LogEntry>();
    const isWhole = covered.values().every((sequence) => {
      const part = bySequence.get(sequence);
      if (part === undefined || !covered.has(part.sequence) || taken.has(part)) return false;
      parts.add(part);
      return true;
    });
    if (!isWhole || entry.guest_columns !== 'kept') continue;
    for (const part of parts) taken.add(part);
    current.set(entry, [...parts]);
  }
  return current;
}
