/** Carrying out a manifest: parts are created concurrently and committed in order. */

import type { ActiveErasures } from '../guests/active-erasures.ts';
import type { Bucket } from '../storage/bucket.ts';
import { deleteAll } from '../storage/many-objects.ts';
import type { PartLog } from '../storage/part-log.ts';
import { createPart, WHOLE_ATTEMPTS } from './create-part.ts';
import type { Lease } from './lease.ts';
import type { Limits } from './limits.ts';
import { type Manifest, type PlannedPart, sourcesOf } from './manifest.ts';
import { toEntry } from './part-facts.ts';

export interface Tally {
  parts: number;
  rows: number;
  /** Landing objects that were processed and deleted. */
  sources: number;
  /** Total size of the parts. */
  bytes: number;
}

export interface PublishTools {
  readonly bucket: Bucket;
  readonly log: PartLog;
  readonly lease: Pick<Lease, 'isHeld'>;
  readonly limits: Limits;
  readonly erasures: ActiveErasures | undefined;
  /** Records rows whose guests were erased; called again when the part is processed again. */
  noteCaught(key: string, caught: ReadonlyMap<string, number>): Promise<void>;
}

/**
 * Creates the parts of a manifest, appends an entry for each to the log, and deletes the processed sources: in this
 * order, so that whatever has left `landing/` is in the log.
 *
 * A run that stalled beyond its lease may find events in a part that another run has made since and not yet logged. So
 * it deletes nothing unless it still held the lease after looking: parts from before it took the lease are in the log.
 *
 * @param tally - Counts what is done.
 * @returns What has to stay open, under the same keys; undefined when another run has taken over and this one must
 * stop.
 */
export async function carryOut(
  tools: PublishTools,
  { parts, attempts }: Manifest,
  tally: Tally,
): Promise<Manifest | undefined> {
  const { bucket, log, lease, limits, erasures } = tools;
  const shared = { ...limits, readAheadBytes: Math.floor(limits.readAheadBytes / parts.length) };
  const create = (part: PlannedPart) => createPart(bucket, part, attempts, shared, erasures);
  // After failed attempts, one part at a time: a part that exceeds what a run can bear then blocks none before it.
  const underWay = attempts > WHOLE_ATTEMPTS ? [] : parts.map(create);
  // A failure is thrown where the part is awaited; until then it must not count as an unhandled rejection.
  for (const part of underWay) part.catch(() => undefined);
  try {
    const open: PlannedPart[] = [];
    const done: string[] = [];
    for (const [at, part] of parts.entries()) {
      const { facts, sources, rest, caught } = await (underWay[at] ?? create(part));
      if (facts !== undefined) {
        await log.append(toEntry(part.output, facts));
        if (caught.size > 0) await tools.noteCaught(part.output, caught);
        tally.parts += 1;
        tally.rows += facts.rows;
        tally.bytes += facts.bytes;
      }
      for (const { key } of sourcesOf(part).slice(0, sources)) done.push(key);
      if (rest !== undefined) open.push(rest);
    }
    if (!(await lease.isHeld())) return undefined;
    await deleteAll(bucket, done, limits.deleteKeys);
    tally.sources += done.length;
    return { parts: open, attempts };
  } finally {
    await Promise.allSettled(underWay);
  }
}
