/** The manifest: the parts that a run is about to publish, written down before any of them is created. Pure. */

import * as v from 'valibot';
import { landingPrefix } from '../storage/keys.ts';
import type { Source } from '../storage/read-in-order.ts';

/** A part that is to be made: an object of `events/v1/`, with rows of one hour and one entry in the log. */
export const PlannedPartSchema = v.object({
  /** The hour, `dt=YYYY-MM-DD/hour=HH`. */
  partition: v.string(),
  output: v.string(),
  /** The landing objects that go into it, in this order: the name below the partition, and the size in bytes. */
  sources: v.array(v.tuple([v.string(), v.number()])),
});

export type PlannedPart = v.InferOutput<typeof PlannedPartSchema>;

/** The parts that are open: each of another hour, so that none can hold what another holds. */
export interface Manifest {
  readonly parts: readonly PlannedPart[];
  /** How many runs have had these parts open, this one included. */
  readonly attempts: number;
}

export function sourcesOf({ partition, sources }: PlannedPart): Source[] {
  const prefix = landingPrefix(partition);
  return sources.map(([name, bytes]) => ({ key: prefix + name, bytes }));
}

/** A part without its first `count` sources, under the same key; undefined when none is left. */
export function withoutSources(part: PlannedPart, count: number): PlannedPart | undefined {
  const sources = part.sources.slice(count);
  return sources.length === 0 ? undefined : { ...part, sources };
}
