/** What `pull` has to do to a folder. Pure. */

import { PARQUET_PREFIX } from '../../storage/keys.ts';
import type { LogEntry } from '../../storage/log-entry.ts';
import { type ParquetEntry, sequencesOf } from '../../storage/parquet-entry.ts';
import type { PublishedObject } from '../../storage/published-object.ts';
import { includesDay, overlaps, type TimeRange } from '../list-hours.ts';
import { currentObjects, lineageOf } from './coverage.ts';

/** What is known before a pull. */
export interface PullState {
  /** The whole log of parts. */
  readonly parts: readonly LogEntry[];
  /** The whole log of columnar objects. */
  readonly columnar: readonly ParquetEntry[];
  /** The files that are there, named by their keys. */
  readonly present: ReadonlySet<string>;
}

/** What is asked of a pull. */
export interface PullRequest {
  /** The hours that are wanted. */
  readonly range: TimeRange;
  /** `parquet`: columnar objects for the days that lie in the range whole, and parts for the rest. */
  readonly prefer: 'ndjson' | 'parquet';
  /** Whether parts go once a columnar object that covers them is there. */
  readonly exclusive: boolean;
}

/** What has to be done: first all of `wanted` is made to be there, then all of `obsolete` goes. */
export interface PullPlan {
  /** The objects of the range, which hold each of its events once. */
  readonly chosen: readonly PublishedObject[];
  /** These, and in every hour what replaces files that are there and will be deleted. */
  readonly wanted: readonly PublishedObject[];
  /** Names of files, broken copies too: what was replaced because a guest was erased, and what is not wanted twice. */
  readonly obsolete: readonly string[];
}

/** Plans a pull. */
export function planPull({ parts, columnar, present }: PullState, { range, prefer, exclusive }: PullRequest): PullPlan {
  const lineage = lineageOf(parts);
  const current = currentObjects(lineage, columnar);
  const objects = prefer === 'parquet' ? [...current.keys()].filter(({ day }) => includesDay(range, day)) : [];
  const covered = new Set(objects.flatMap((object) => current.get(object) ?? []));
  const chosen: PublishedObject[] = [
    ...objects,
    ...[...lineage.parts.values()].filter((part) => overlaps(range, part.partition) && !covered.has(part)),
  ];

  const sequences = new Map(parts.map(({ key, sequence }) => [key, [sequence]]));
  const stale = new Set(columnar.filter((entry) => !current.has(entry)).map(({ key }) => key));
  for (const { key, covers } of columnar) sequences.set(key, [...sequencesOf(covers)]);
  const currentParts = new Set(
    [...lineage.parts.values()].filter((part) => !(exclusive && covered.has(part))).map(({ key }) => key),
  );

  const obsolete: string[] = [];
  const wanted = new Set(chosen);
  for (const name of present) {
    const key = name.replace(/\.part$/, '');
    const isObsolete = key.startsWith(PARQUET_PREFIX) ? stale.has(key) : sequences.has(key) && !currentParts.has(key);
    if (!isObsolete) continue;
    obsolete.push(name);
    for (const sequence of sequences.get(key) ?? []) {
      const part = lineage.bySequence.get(sequence);
      if (part !== undefined && !covered.has(part)) wanted.add(part);
    }
  }
  return { chosen, wanted: [...wanted], obsolete };
}
