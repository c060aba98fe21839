/** One run of the publisher: finish what was begun, publish what is due, complete the log. */

import { newEventId } from '../storage/event-id.ts';
import { eventsKey, LANDING_PARTITIONS, landingPrefix } from '../storage/keys.ts';
import { findLastSequence, openPartLog, type PartLog } from '../storage/part-log.ts';
import { backfillLog, FROM_THE_START } from './backfill-log.ts';
import { type Bucket, listAll } from './bucket.ts';
import { createPart } from './create-part.ts';
import { type Clock, type LogState, readLease } from './lease.ts';
import { LIMITS, type Limits } from './limits.ts';
import { type Manifest, type PlannedPart, sourceKeys } from './manifest.ts';
import { toEntry } from './part-facts.ts';
import { type Group, groupsOf, isDue } from './plan.ts';

/** What a run has done. */
export interface Run {
  /** `busy`: another run is at work. `overtaken`: another run went on in the middle. `more`: the next run goes on. */
  readonly ended: 'done' | 'more' | 'busy' | 'overtaken';
  readonly parts: number;
  readonly rows: number;
  /** Landing objects that are done with. */
  readonly sources: number;
  /** Of the parts. */
  readonly bytes: number;
  /** The log has all parts up to this sequence; null when the run did not look. */
  readonly log_sequence: number | null;
  /** Whether every part has an entry in the log, those from before there was a log too. */
  readonly log_complete: boolean;
}

type Total = { -readonly [Name in 'parts' | 'rows' | 'sources' | 'bytes']: number };

/** Runs once. Whatever it throws, the next run takes up where it stopped. */
export async function publish(bucket: Bucket, clock: Clock, limits: Limits = LIMITS): Promise<Run> {
  const total: Total = { parts: 0, rows: 0, sources: 0, bytes: 0 };
  const lease = await readLease(bucket, newEventId(), clock, limits);
  if (lease.busy) return { ended: 'busy', ...total, log_sequence: null, log_complete: false };

  let backfilled = lease.log === undefined ? FROM_THE_START : lease.log.backfilled_through;
  const log = openPartLog(bucket, lease.log?.sequence ?? (await findLastSequence(bucket)));
  const logState = (): LogState => ({ sequence: log.sequence, backfilled_through: backfilled });
  const run = (ended: Run['ended']): Run => ({
    ended,
    ...total,
    log_sequence: log.sequence,
    log_complete: backfilled === null,
  });

  const left = { bytes: limits.runSourceBytes, sources: limits.runSources };
  let ended: 'done' | 'more' = 'done';
  for await (const manifest of manifests(bucket, clock.now(), lease.left, limits)) {
    if (left.bytes <= 0 || left.sources <= 0) {
      ended = 'more';
      break;
    }
    for (let open = manifest; open.parts.length > 0; ) {
      if (!(await lease.open(open, logState()))) return run('overtaken');
      open = await carryOut(bucket, open, log, clock, limits, total);
    }
    for (const [, bytes] of manifest.parts.flatMap(({ sources }) => sources)) {
      left.sources -= 1;
      left.bytes -= bytes;
    }
  }
  if (backfilled !== null) {
    if (!(await lease.open(NOTHING_OPEN, logState()))) return run('overtaken');
    backfilled = await backfillLog(bucket, log, backfilled, clock, limits);
  }
  return run((await lease.close(logState())) ? ended : 'overtaken');
}

const NOTHING_OPEN: Manifest = { parts: [], attempts: 0 };

/** What was left open, then one manifest for each group that is due. */
async function* manifests(bucket: Bucket, now: number, left: Manifest, limits: Limits): AsyncGenerator<Manifest> {
  if (left.parts.length > 0) yield { ...left, attempts: left.attempts + 1 };
  for await (const group of groupsOf(listAll(bucket, { prefix: LANDING_PARTITIONS }), limits)) {
    if (isDue(group, now, limits)) yield { parts: [planPart(group)], attempts: 1 };
  }
}

function planPart({ partition, landed }: Group): PlannedPart {
  const { length } = landingPrefix(partition);
  return {
    partition,
    output: eventsKey(partition, newEventId()),
    sources: landed.map(({ key, size }) => [key.slice(length), size]),
  };
}

/**
 * Creates the parts of a manifest, gives each its entry in the log, and deletes the sources that are done with: in this
 * order, so that what has left `landing/` is in the log.
 *
 * @returns What has to stay open, under the same keys.
 */
async function carryOut(
  bucket: Bucket,
  { parts, attempts }: Manifest,
  log: PartLog,
  clock: Clock,
  limits: Limits,
  total: Total,
): Promise<Manifest> {
  const open: PlannedPart[] = [];
  for (const part of parts) {
    const { facts, sources, rest } = await createPart(bucket, part, attempts, limits);
    if (facts !== undefined) {
      await log.append(toEntry(part.output, facts), clock.now());
      total.parts += 1;
      total.rows += facts.rows;
      total.bytes += facts.bytes;
    }
    const done = sourceKeys(part, sources);
    for (let at = 0; at < done.length; at += limits.deleteKeys) {
      await bucket.delete(done.slice(at, at + limits.deleteKeys));
    }
    total.sources += sources;
    if (rest !== undefined) open.push(rest);
  }
  return { parts: open, attempts };
}
