/** What `pull` has to do to a folder. Pure. */

import type { LogEntry } from '../../storage/log-entry.ts';
import { overlaps, type TimeRange } from '../list-hours.ts';
import { standing } from './published-log.ts';

/** What has to be done: first all of `wanted` is made to be there, then all of `replaced` goes. */
export interface PullPlan {
  readonly wanted: readonly LogEntry[];
  /** Names of files that are there and were replaced in the bucket, because a guest was erased; broken copies too. */
  readonly replaced: readonly string[];
}

/**
 * Plans a pull.
 *
 * @param entries - The whole log.
 * @param range - The hours that are wanted. A part that takes the place of one that is there is wanted whatever its hour.
 * @param present - The files that are there, named by their keys.
 */
export function planPull(entries: readonly LogEntry[], range: TimeRange, present: ReadonlySet<string>): PullPlan {
  const parts = standing(entries);
  const replacements = new Map(
    entries.flatMap((entry) => (entry.replaces === null ? [] : [[entry.replaces, entry.key]])),
  );
  const keyOf = (name: string) => name.replace(/\.part$/, '');
  const replaced = [...present].filter((name) => replacements.has(keyOf(name)));
  const wanted = new Set([...parts.values()].filter(({ partition }) => overlaps(range, partition)));
  for (const name of replaced) {
    let successor: string | undefined = keyOf(name);
    while (successor !== undefined && !parts.has(successor)) successor = replacements.get(successor);
    const entry = successor === undefined ? undefined : parts.get(successor);
    if (entry !== undefined) wanted.add(entry);
  }
  return { wanted: [...wanted], replaced };
}
