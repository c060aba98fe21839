/** One run of the publisher: finish what was begun, and publish what is due. */

import type { ActiveErasures } from '../guests/active-erasures.ts';
import type { Clock } from '../storage/clock.ts';
import { uuidv7 } from '../storage/event-id.ts';
import { eventsKey, LANDING_PARTITIONS, landingPrefix } from '../storage/keys.ts';
import { listAll } from '../storage/list-all.ts';
import { createPartLog, findLastSequence } from '../storage/part-log.ts';
import type { Bucket } from './bucket.ts';
import { carryOut, type Tally } from './carry-out.ts';
import { noteCaught } from './erase/record.ts';
import { openReaders, type ReaderSource } from './fan-out.ts';
import { readLease, releaseOnError } from './lease.ts';
import { LIMITS, type Limits } from './limits.ts';
import type { Manifest, PlannedPart } from './manifest.ts';
import { type Group, groupsOf, isDue, wavesOf } from './plan.ts';

/** What a run has done. */
export interface Run extends Readonly<Tally> {
  /** `busy`: another run is at work. `overtaken`: another run went on in the middle. `more`: the next run goes on. */
  readonly ended: 'done' | 'more' | 'busy' | 'overtaken';
  /** How long the oldest object of `landing/` had waited when this run came to it, in milliseconds; 0 without any. */
  readonly oldest_waited_ms: number;
  /** The log has all parts up to this sequence; null when the run did not look. */
  readonly log_sequence: number | null;
}

/**
 * Runs once. Whatever it throws, the next run takes up where it stopped.
 *
 * @param readerSource - Makes the invocations that read; without it everything is read in this one.
 * @param erasures - The guests that are erased, as of the start of this run or later.
 */
export async function publish(
  bucket: Bucket,
  clock: Clock,
  limits: Limits = LIMITS,
  readerSource?: ReaderSource,
  erasures?: ActiveErasures,
): Promise<Run> {
  const name = uuidv7();
  return releaseOnError(bucket, name, clock, () => run(bucket, name, clock, limits, readerSource, erasures));
}

async function run(
  bucket: Bucket,
  name: string,
  clock: Clock,
  limits: Limits,
  readerSource: ReaderSource | undefined,
  erasures: ActiveErasures | undefined,
): Promise<Run> {
  const tally: Tally = { parts: 0, rows: 0, sources: 0, bytes: 0 };
  const lease = await readLease(bucket, name, clock, limits);
  if (lease.busy) return { ended: 'busy', ...tally, oldest_waited_ms: 0, log_sequence: null };

  const log = createPartLog(bucket, lease.logSequence ?? (await findLastSequence(bucket)), clock);
  const waiting = { oldest_waited_ms: 0 };
  const done = (ended: Run['ended']): Run => ({
    ended,
    ...tally,
    ...waiting,
    log_sequence: log.sequence,
  });

  await using readers = openReaders(bucket, readerSource);
  const tools = {
    ...{ bucket, readers, log, lease, limits, erasures },
    noteCaught: (key: string, caught: ReadonlyMap<string, number>) =>
      noteCaught({ bucket, clock }, erasures?.requests ?? [], key, caught),
  };
  const budget = openBudget(limits);
  let ended: 'done' | 'more' = 'done';
  for await (const manifest of manifests(bucket, clock.now(), lease.left, limits, waiting)) {
    if (!budget.allows(manifest)) {
      ended = 'more';
      break;
    }
    for (let open = manifest; open.parts.length > 0; ) {
      const left = (await lease.open(open, log.sequence)) ? await carryOut(tools, open, tally) : undefined;
      if (left === undefined) return done('overtaken');
      open = left;
    }
  }
  return done((await lease.close(log.sequence)) ? ended : 'overtaken');
}

/** What was left open, then manifests for what is due. */
async function* manifests(
  bucket: Bucket,
  now: number,
  left: Manifest,
  limits: Limits,
  waiting: { oldest_waited_ms: number },
): AsyncGenerator<Manifest> {
  if (left.parts.length > 0) yield { ...left, attempts: left.attempts + 1 };

  async function* dueGroups(): AsyncGenerator<Group> {
    for await (const group of groupsOf(listAll(bucket, { prefix: LANDING_PARTITIONS }), limits)) {
      waiting.oldest_waited_ms = Math.max(waiting.oldest_waited_ms, now - group.oldest);
      if (isDue(group, now, limits)) yield group;
    }
  }
  for await (const wave of wavesOf(dueGroups(), limits)) yield { parts: wave.map(planPart), attempts: 1 };
}

function planPart({ partition, landed }: Group): PlannedPart {
  const { length } = landingPrefix(partition);
  return {
    partition,
    output: eventsKey(partition, uuidv7()),
    sources: landed.map(({ key, size }) => [key.slice(length), size]),
  };
}

/** Keeps a run within its limits: what begins within them is allowed. */
function openBudget({ runSourceBytes, runSources }: Pick<Limits, 'runSourceBytes' | 'runSources'>) {
  let bytes = runSourceBytes;
  let sources = runSources;
  return {
    /** Whether these parts may be begun; they are counted then. */
    allows({ parts }: Manifest): boolean {
      if (bytes <= 0 || sources <= 0) return false;
      for (const [, size] of parts.flatMap((part) => part.sources)) {
        bytes -= size;
        sources -= 1;
      }
      return true;
    },
  };
}
