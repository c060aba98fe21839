/** The journal: what a run is about to publish, written before it publishes anything. Pure. */

import * as v from 'valibot';
import { landingPrefix } from '../storage/keys.ts';

/** One part in the making. */
export const JournalSchema = v.object({
  /** The hour, `dt=YYYY-MM-DD/hour=HH`. */
  partition: v.string(),
  /** The key of the part that comes out of it. */
  output: v.string(),
  /** The landing objects that go into it, in this order: the name below the partition, and the size in bytes. */
  sources: v.array(v.tuple([v.string(), v.number()])),
});

/** One part in the making. */
export type Journal = v.InferOutput<typeof JournalSchema>;

/** The keys of the first `count` sources. */
export function sourceKeys({ partition, sources }: Journal, count: number): string[] {
  return sources.slice(0, count).map(([name]) => landingPrefix(partition) + name);
}
