/** The manifest: the parts that a run is about to publish, recorded before any of them is created. Pure. */

import * as v from 'valibot';
import { landingPrefix } from '../storage/keys.ts';
import type { Source } from '../storage/read-in-order.ts';

/** A planned part: an object of `events/v1/` with rows of one hour and one entry in the log. */
export const PlannedPartSchema = v.object({
  /** The hour, `dt=YYYY-MM-DD/hour=HH`. */
  partition: v.string(),
  output: v.string(),
  /** The landing objects that go into it, in this order: name below the partition, and size in bytes. */
  sources: v.array(v.tuple([v.string(), v.number()])),
});

export type PlannedPart = v.InferOutput<typeof PlannedPartSchema>;

/** The open parts, each of a different hour, so that no two can hold the same event. */
export interface Manifest {
  readonly parts: readonly PlannedPart[];
  /** How many runs have had these parts open, including this one. */
  readonly attempts: number;
}

export function sourcesOf({ partition, sources }: PlannedPart): Source[] {
  const prefix = landingPrefix(partition);
  return sources.map(([name, bytes]) => ({ key: prefix + name, bytes }));
}

/** A part without its first `count` sources, under the same key; undefined when no source is left. */
export function withoutSources(part: PlannedPart, count: number): PlannedPart | undefined {
  const sources = part.sources.slice(count);
  return sources.length === 0 ? undefined : { ...part, sources };
}
