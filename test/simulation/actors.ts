/** Everybody who is at work in a run. Another one is another function in {@link ACTORS}. */

import type { Origin } from '../../src/landing/land.ts';
import type { Delivery } from '../../src/landing/write-then-settle.ts';
import type { GatherQueue } from '../../src/publish/ask-to-gather.ts';
import { LIMITS } from '../../src/publish/limits.ts';
import { TABLE_LIMITS, type TableLimits } from '../../src/table/limits.ts';
import { GUESTS, PSEUDONYM_KEY, requestErasure, SMALL_ERASE } from './guests.ts';
import { INVOCATION_LIMIT_MS, invoke } from './invoke.ts';
import type { Isolate } from './isolates.ts';
import type { ModelMessage, ModelQueue } from './model-queue.ts';
import { UNSEEN_MS } from './network.ts';
import { MINUTE_MS, SECOND_MS } from './profile.ts';
import { foreigners, intake, refusals } from './senders.ts';
import type { Stage } from './stage.ts';
import type { Actor, Ending } from './world.ts';

/** A part of the cast: it starts what it does, again and again. */
type Part = (stage: Stage) => void;

const MAX_BATCH = 8;

/** Few of everything, so that every limit is reached. */
const SMALL = {
  ...LIMITS,
  partSources: 5,
  partSourceBytes: 4_000,
  partBytes: 1_500,
  runSourceBytes: 8_000,
  runSources: 8,
  deleteKeys: 2,
  readsAhead: 2,
  gatherSources: 3,
  gatherLeast: 1,
  gatherBytes: 2_000,
  gatherSourceBytes: 1_500,
  gatherObjects: 20,
  requestsAtOnce: 2,
};

/** So little that much is gathered. */
const GATHERING = { ...SMALL, runSources: 2 };

/** Those of another version: it takes up what the one has begun, and the other way round. */
const OTHER = { ...SMALL, partSources: 3, partBytes: 700, hoursAtOnce: 1, deleteKeys: 1 };

/** A message that is on its way to a consumer, with what the queue was told of it. */
interface Told {
  readonly message: ModelMessage;
  acknowledged: boolean;
  retryAt: number | undefined;
}

/** Delivers batches of a queue to its consumer, and settles them as the platform does. */
function consume(
  stage: Stage,
  queue: ModelQueue,
  handle: (code: Isolate, actor: Actor, told: Told[]) => Promise<unknown>,
  mostInBatch = MAX_BATCH,
) {
  const { world, profile, network, isOver } = stage;
  const { random } = world;
  function poll(): void {
    world.after(random.int(1, isOver() ? 5 * MINUTE_MS : 40 * SECOND_MS), poll);
    if (!isOver() && network.isDown(profile.deliveryOutages)) return;
    const ready = queue.available(world.now);
    if (ready.length === 0) return;
    const batch = Array.from({ length: Math.min(ready.length, random.int(1, mostInBatch)) }, () =>
      ready.splice(random.int(0, ready.length - 1), 1),
    ).flat();
    queue.deliver(batch);
    // At least once: somebody else may get it as well.
    for (const message of batch)
      if (!isOver() && random.chance(3)) message.availableAt = world.now + random.int(1, 20_000);
    const told = batch.map((message): Told => ({ message, acknowledged: false, retryAt: undefined }));
    invoke(
      stage,
      'consumer',
      INVOCATION_LIMIT_MS,
      (code, actor) => handle(code, actor, told),
      (how) => settle(told, how),
    );
  }
  function settle(told: readonly Told[], how: Ending): void {
    const { now } = world;
    // Nobody promises that acknowledgements of a consumer that died are heard.
    const heard = how !== 'killed' || random.chance(50);
    for (const { message, acknowledged, retryAt } of told) {
      const again = now + random.int(30, 900) * SECOND_MS;
      if (heard && retryAt !== undefined) queue.retry(message.id, retryAt, now);
      else if ((heard && acknowledged) || how === 'returned') {
        // The acknowledgement itself can be lost.
        if (!isOver() && random.chance(profile.faultPercent / 5)) message.availableAt = again;
        else queue.acknowledge(message.id);
      } else queue.retry(message.id, again, now);
    }
  }
  poll();
}

/** Messages as a consumer gets them. */
function deliveriesOf({ world }: Stage, actor: Actor, told: readonly Told[]): Delivery[] {
  return told.map((each) => ({
    id: each.message.id,
    timestamp: new Date(each.message.enqueuedAt),
    attempts: each.message.attempts,
    body: each.message.body,
    ack() {
      if (!actor.dead) each.acknowledged = true;
    },
    retry({ delaySeconds }) {
      if (!actor.dead) each.retryAt ??= world.now + delaySeconds * SECOND_MS;
    },
  }));
}

function land(stage: Stage, origin: Origin) {
  const { network, bucket } = stage;
  return (code: Isolate, actor: Actor, told: readonly Told[]) =>
    code.land(origin, deliveriesOf(stage, actor, told), network.bucket(actor, bucket));
}

/** Consumers that gather landing objects, each message in an invocation of its own. */
function gatherers(stage: Stage): void {
  const { network, bucket } = stage;
  consume(
    stage,
    stage.gatherQueue,
    (code, actor, told) => {
      const messages = deliveriesOf(stage, actor, told);
      const to = network.bucket(actor, bucket) as unknown as R2Bucket;
      return code.gatherBatch({ queue: 'gather', messages }, to);
    },
    1,
  );
}

/** Landing, from the queues of events and of refused bodies, and from their dead-letter queues. */
function landing(stage: Stage): void {
  const queue: Origin = { queue: 'events', stage: 'queue', carries: 'landing' };
  consume(stage, stage.queue, land(stage, queue));
  const deadLetters: Origin = { queue: 'dead-letters', stage: 'dead-letter queue', carries: 'landing' };
  consume(stage, stage.deadLetters, land(stage, deadLetters));
  const rejected: Origin = { queue: 'rejected', stage: 'queue', carries: 'rejected' };
  consume(stage, stage.rejectedQueue, land(stage, rejected));
  consume(stage, stage.rejectedDeadLetters, land(stage, { ...rejected, stage: 'dead-letter queue' }));
}

/** Runs the publisher once, as if it were this moment or now, whichever is later. */
export function publishAt(stage: Stage, scheduled: number): void {
  const { profile, network, bucket, isolates } = stage;
  invoke(stage, 'publisher', INVOCATION_LIMIT_MS, async (code, actor) => {
    const time = {
      now: () => Math.max(scheduled, Date.now()),
      wait: (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    };
    const to = network.bucket(actor, bucket);
    const other = profile.otherPublisher && code === isolates.at(-1)?.code;
    const gathers = profile.gathers && !other;
    const limits = other ? OTHER : gathers ? GATHERING : SMALL;
    const requests = gathers ? (network.producer(actor, stage.gatherQueue) as unknown as GatherQueue) : undefined;
    const erasures = await code.loadErasures(to, PSEUDONYM_KEY);
    await code.publish(to, time, limits, requests, erasures);
    const queues = {
      events: network.metrics(actor, stage.queue, UNSEEN_MS.queue),
      deadLetters: network.metrics(actor, stage.deadLetters, UNSEEN_MS.deadLetters),
    };
    await code.moveWatermark(to, queues, time, Math.min(scheduled, Date.now()));
    const tools = { bucket: to, clock: time, limits: SMALL_ERASE };
    const erasing = erasures && (await code.eraseGuests(tools, erasures));
    const isWhole = erasing === undefined || erasing.ended === 'done' || erasing.ended === 'more';
    if (!profile.expires || !isWhole) return;
    await code.expireGuests({ ...tools, digest: code.createKeyedDigest(PSEUDONYM_KEY) }, 0);
  });
}

/** The cron of the publisher: publishing, the watermark, and erasing. */
function publisher(stage: Stage): void {
  const { world, profile, network, isOver } = stage;
  const { random } = world;
  function fire(): void {
    if (network.closed) return;
    const scheduled = Math.floor(world.now / MINUTE_MS) * MINUTE_MS;
    world.after(scheduled + (isOver() ? 5 : 1) * MINUTE_MS + random.int(0, 8_000) - world.now, fire);
    const missed = random.chance(profile.cronMissPercent) || network.isDown(profile.cronOutages);
    if (missed && !isOver()) return;
    publishAt(stage, scheduled);
    if (random.chance(profile.cronTwicePercent)) world.after(random.int(0, 30_000), () => publishAt(stage, scheduled));
  }
  fire();
}

/** Few of everything, and all times short: but a run is over when an attempt counts as given up, whatever clocks say. */
const SMALL_TABLE: TableLimits = {
  ...TABLE_LIMITS,
  fileBytes: 700,
  splitBytes: 1_000,
  fileRows: 12,
  fileRanges: 3,
  groupRows: 3,
  runRows: 12,
  stepRows: 6,
  stepParts: 4,
  logEntries: 6,
  manifestEntries: 3,
  manifestsMerged: 2,
  tidyMs: 10 * MINUTE_MS,
  snapshotMs: 40 * MINUTE_MS,
  snapshots: 3,
  erasedMs: 30 * MINUTE_MS,
  versions: 6,
  versionMs: 30 * MINUTE_MS,
};

/** The cron of the table. */
function table(stage: Stage): void {
  const { world, profile, network, bucket, isOver } = stage;
  const { random } = world;
  const start = world.now;
  function run(scheduled: number): void {
    invoke(stage, 'table', INVOCATION_LIMIT_MS, async (code, actor) => {
      const hides = profile.hidesFromMs !== undefined && world.now >= start + profile.hidesFromMs;
      await code.runTable({
        bucket: network.bucket(actor, bucket),
        location: 's3://bucket/iceberg/events',
        clock: {
          now: () => Math.max(scheduled, Date.now()),
          wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
        },
        guests: code.createGuests(hides ? 'left_out' : 'kept', PSEUDONYM_KEY),
        limits: SMALL_TABLE,
      });
    });
  }
  function fire(): void {
    const scheduled = Math.floor(world.now / MINUTE_MS) * MINUTE_MS;
    world.after(scheduled + (isOver() ? 6 : 2) * MINUTE_MS + random.int(0, 8_000) - world.now, fire);
    const missed = random.chance(profile.cronMissPercent) || network.isDown(profile.cronOutages);
    if (missed && !isOver()) return;
    run(scheduled);
    if (random.chance(profile.cronTwicePercent)) world.after(random.int(0, 30_000), () => run(scheduled));
  }
  fire();
}

/** Guests, each of whom asks at some time to be erased, until the request is made. */
function guests(stage: Stage): void {
  const { world, profile, ledger } = stage;
  if (!profile.erases) return;
  function ask(guest: string): void {
    const search = (code: Isolate, actor: Actor) => requestErasure(stage, code, actor, guest);
    invoke(stage, 'guests', INVOCATION_LIMIT_MS, search, () => {
      if (!ledger.isAsked(guest)) world.after(world.random.int(1, 10) * MINUTE_MS, () => ask(guest));
    });
  }
  for (const guest of GUESTS) world.after(world.random.int(0, profile.activeMs), () => ask(guest));
}

/** The cast. */
export const ACTORS: readonly Part[] = [intake, refusals, foreigners, landing, gatherers, publisher, table, guests];
