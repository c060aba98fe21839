/** One run of the publisher: finish what was begun, have a backlog gathered, and publish what is due. */

import type { ActiveErasures } from '../guests/active-erasures.ts';
import type { Bucket } from '../storage/bucket.ts';
import type { Clock } from '../storage/clock.ts';
import { uuidv7 } from '../storage/event-id.ts';
import { eventsKey, LANDING_PARTITIONS, landingPrefix } from '../storage/keys.ts';
import { listAll } from '../storage/many-objects.ts';
import { createPartLog, findLastSequence } from '../storage/part-log.ts';
import {
  askToGather,
  type BeingGathered,
  type GatherQueue,
  isBeingGathered,
  planRequests,
  rangesToGather,
} from './ask-to-gather.ts';
import { createBudget } from './budget.ts';
import { carryOut, type Tally } from './carry-out.ts';
import { noteCaught } from './erase/record.ts';
import { type Lease, NOTHING_OPEN, readLease, releaseOnError } from './lease.ts';
import { LIMITS, type Limits } from './limits.ts';
import type { Manifest, PlannedPart } from './manifest.ts';
import { type Group, groupsOf, isDue, type LandedObject, wavesOf } from './plan.ts';

export interface PublishRun extends Readonly<Tally> {
  /** `busy`: another run is active. `overtaken`: another run took over midway. `more`: the next run continues. */
  readonly ended: 'done' | 'more' | 'busy' | 'overtaken';
  /** How long the oldest landing object that this run saw had waited, in milliseconds; 0 without any. */
  readonly oldest_waited_ms: number;
  /** The log is complete up to this sequence; null when the run did not look. */
  readonly log_sequence: number | null;
}

/**
 * Runs once. Whatever it throws, the next run continues where it stopped.
 *
 * @param gatherQueue - Takes requests to gather what this run cannot read; without it later runs read it.
 * @param erasures - The guests to erase, as of the start of this run or later.
 */
export async function publish(
  bucket: Bucket,
  clock: Clock,
  limits: Limits = LIMITS,
  gatherQueue?: GatherQueue,
  erasures?: ActiveErasures,
): Promise<PublishRun> {
  const name = uuidv7();
  return releaseOnError(bucket, name, clock, () => run(bucket, name, clock, limits, gatherQueue, erasures));
}

async function run(
  bucket: Bucket,
  name: string,
  clock: Clock,
  limits: Limits,
  gatherQueue: GatherQueue | undefined,
  erasures: ActiveErasures | undefined,
): Promise<PublishRun> {
  const tally: Tally = { parts: 0, rows: 0, sources: 0, bytes: 0 };
  const lease = await readLease(bucket, name, clock, limits);
  if (lease.busy) return { ended: 'busy', ...tally, oldest_waited_ms: 0, log_sequence: null };

  const log = createPartLog(bucket, lease.logSequence ?? (await findLastSequence(bucket)), clock);
  let oldestWaitedMs = 0;
  const done = (ended: PublishRun['ended']): PublishRun => {
    return { ended, ...tally, oldest_waited_ms: oldestWaitedMs, log_sequence: log.sequence };
  };
  const tools = {
    ...{ bucket, log, lease, limits, erasures },
    noteCaught: (key: string, caught: ReadonlyMap<string, number>) =>
      noteCaught({ bucket, clock }, erasures?.requests ?? [], key, caught),
  };

  /** Carries out a manifest. Returns false when another run has taken over. */
  async function finish(manifest: Manifest): Promise<boolean> {
    for (let open = manifest; open.parts.length > 0; ) {
      const left = (await lease.open(open, log.sequence)) ? await carryOut(tools, open, tally) : undefined;
      if (left === undefined) return false;
      open = left;
    }
    return true;
  }

  const budget = createBudget(limits.runSources, limits.runSourceBytes);
  const take = ({ parts }: Manifest) => {
    for (const [, bytes] of parts.flatMap(({ sources }) => sources)) budget.take(bytes);
  };
  const { left } = lease;
  take(left);
  if (!(await finish({ ...left, attempts: left.attempts + 1 }))) return done('overtaken');

  lease.gathering = lease.gathering.filter(({ until }) => until > clock.now());
  const landed = await listLanded(bucket, lease.gathering, limits.runSources);
  let ended: 'done' | 'more' = landed.isWhole ? 'done' : 'more';
  if (!landed.isWhole && gatherQueue !== undefined) {
    const { objects } = await listLanded(bucket, lease.gathering, limits.gatherObjects, landed.objects.at(-1)?.key);
    if (!(await gatherRest(lease, log.sequence, gatherQueue, objects, limits, clock))) return done('overtaken');
  }
  const now = clock.now();
  const groups = [...groupsOf(landed.objects, limits)];
  oldestWaitedMs = Math.max(0, ...groups.map(({ oldest }) => now - oldest));
  const due = groups.filter((group) => isDue(group, now, limits));
  for (const wave of wavesOf(due, limits)) {
    if (!budget.isLeft) {
      ended = 'more';
      break;
    }
    const manifest = { parts: wave.map(planPart), attempts: 1 };
    take(manifest);
    if (!(await finish(manifest))) return done('overtaken');
  }
  return done((await lease.close(log.sequence)) ? ended : 'overtaken');
}

/** Lists objects of `landing/` after a key that are not being gathered, in key order, and whether these are all. */
async function listLanded(
  bucket: Bucket,
  gathering: readonly BeingGathered[],
  atMost: number,
  startAfter = LANDING_PARTITIONS,
): Promise<{ readonly objects: readonly LandedObject[]; readonly isWhole: boolean }> {
  const objects: LandedObject[] = [];
  for await (const { key, size, uploaded } of listAll(bucket, { prefix: LANDING_PARTITIONS, startAfter })) {
    if (isBeingGathered(key, gathering)) continue;
    if (objects.length === atMost) return { objects, isWhole: false };
    objects.push({ key, size, uploaded });
  }
  return { objects, isWhole: true };
}

/**
 * Requests gathering of what this run cannot read, under the lease, so that only one of two runs does. The ranges are
 * stored before the requests are sent: the sources of an open part must not be gathered.
 *
 * @returns False when another run has taken over.
 */
async function gatherRest(
  lease: Lease,
  logSequence: number,
  queue: GatherQueue,
  rest: readonly LandedObject[],
  limits: Limits,
  clock: Clock,
): Promise<boolean> {
  const requests = [...planRequests(rest, limits, clock.now() + limits.gatherMs)];
  const before = lease.gathering;
  lease.gathering = [...before, ...rangesToGather(requests)];
  if (!(await lease.open(NOTHING_OPEN, logSequence))) return false;
  lease.gathering = [...before, ...rangesToGather(await askToGather(queue, requests, limits))];
  return true;
}

function planPart({ partition, landed }: Group): PlannedPart {
  const { length } = landingPrefix(partition);
  return {
    partition,
    output: eventsKey(partition, uuidv7()),
    sources: landed.map(({ key, size }) => [key.slice(length), size]),
  };
}
