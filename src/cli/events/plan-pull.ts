/** What `pull` has to do to a folder. Pure. */

import type { LogEntry } from '../../storage/log-entry.ts';
import type { TimeRange } from '../list-hours.ts';
import { partsIn } from './published-log.ts';

/** What has to be done: first all of `wanted` is made to be there, then all of `obsolete` goes. */
export interface PullPlan {
  /** The parts of the range, which hold each of its events once. */
  readonly chosen: readonly LogEntry[];
  /** These, and in every hour what replaces files that are there and will be deleted. */
  readonly wanted: readonly LogEntry[];
  /** Names of files, broken copies too, whose parts were replaced because a guest was erased. */
  readonly obsolete: readonly string[];
}

/**
 * Plans a pull.
 *
 * @param entries - The whole log.
 * @param present - The files that are there, named by their keys.
 */
export function planPull(entries: readonly LogEntry[], present: Iterable<string>, range: TimeRange): PullPlan {
  const successors = successorsOf(entries);
  const chosen = partsIn(entries, range);
  const wanted = new Set(chosen);
  const obsolete: string[] = [];
  for (const name of present) {
    const successor = successors.get(name.replace(/\.part$/, ''));
    if (successor === undefined) continue;
    obsolete.push(name);
    wanted.add(successor);
  }
  return { chosen, wanted: [...wanted], obsolete };
}

/** The part that stands in the place of each key that was replaced. */
function successorsOf(entries: readonly LogEntry[]): ReadonlyMap<string, LogEntry> {
  const successors = new Map<string, LogEntry>();
  // From the last to the first: what has replaced an entry comes after it.
  for (const entry of entries.toReversed()) {
    if (entry.replaces !== null) successors.set(entry.replaces, successors.get(entry.key) ?? entry);
  }
  return successors;
}
