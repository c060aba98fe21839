/** Everybody who is at work in a run. Another one is another function in {@link ACTORS}. */

import type { Stores } from '../../src/intake/make-durable.ts';
import type { Origin } from '../../src/landing/land.ts';
import type { Delivery } from '../../src/landing/write-then-settle.ts';
import type { GatherQueue } from '../../src/publish/ask-to-gather.ts';
import { LIMITS } from '../../src/publish/limits.ts';
import { TABLE_LIMITS, type TableLimits } from '../../src/table/limits.ts';
import { GUESTS, guestOf, PSEUDONYM_KEY, requestErasure, SMALL_ERASE } from './guests.ts';
import type { Isolate } from './isolates.ts';
import type { ModelMessage, ModelQueue } from './model-queue.ts';
import { UNSEEN_MS } from './network.ts';
import { MINUTE_MS, SECOND_MS } from './profile.ts';
import type { Stage } from './stage.ts';
import type { Actor, Ending } from './world.ts';

/** A part of the cast: it starts what it does, again and again. */
type Part = (stage: Stage) => void;

/** The platform ends a request 30 s after its answer, and everything else after 15 min. */
const REQUEST_LIMIT_MS = 34 * SECOND_MS;
const INVOCATION_LIMIT_MS = 15 * MINUTE_MS;

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

/** Runs something in an isolate, and kills it now and then. */
function invoke(
  { world, profile, isolates, isOver }: Stage,
  name: string,
  limitMs: number,
  body: (code: Isolate, actor: Actor) => Promise<unknown>,
  ended: (how: Ending) => void = () => {},
): void {
  // In the second half all runs have one clock, so that readings far apart still follow one another.
  const { code, skewMs } = isOver() ? isolates[0] : world.random.pick(isolates);
  // What a request was to store may come late, but not for long; a run may be held up beyond its lease.
  const patienceMs = limitMs === REQUEST_LIMIT_MS ? 20 * SECOND_MS : 8 * MINUTE_MS;
  const actor: Actor = { name, skewMs, patienceMs, dead: false };
  world.spawn(actor, limitMs, () => body(code, actor), ended);
  if (!isOver() && world.random.chance(profile.killPercent)) {
    world.after(world.random.int(0, Math.min(profile.killWithinMs, limitMs)), () => world.kill(actor));
  }
}

/** How many events a batch has at most. */
const MAX_MEMBERS = 4;

/** Senders, and intake from the line on: events that come alone, and in batches. */
function intake(stage: Stage): void {
  const { world, profile, ledger } = stage;
  for (let event = 0; event < profile.events; ) {
    const members = world.random.chance(profile.batchPercent) ? world.random.int(2, MAX_MEMBERS) : 1;
    const first = event;
    world.after(world.random.int(0, profile.arrivalMs), () => {
      invoke(stage, 'intake', REQUEST_LIMIT_MS, async (code, actor) => {
        const lines = Array.from({ length: members }, (_, at) => receive(stage, code, first + at));
        const background: Promise<unknown>[] = [];
        const stores = storesOf(stage, actor, stage.queue, background);
        if (members === 1) await storeOne(code, lines[0], stores, ledger);
        else {
          const { storedInByPlace } = await code.storeLines(
            'landing',
            lines.map(({ line, partition }, at) => ({ at, line, partition })),
            stores,
          );
          for (const at of storedInByPlace.keys()) acknowledge(ledger, lines[at]);
        }
        await Promise.allSettled(background);
      });
    });
    event += members;
  }
}

interface Received {
  readonly eventId: string;
  readonly receivedAt: Date;
  readonly line: string;
  readonly partition: string;
}

function receive({ world, ledger }: Stage, code: Isolate, event: number): Received {
  const eventId = code.uuidv7();
  const receivedAt = code.timeOf(eventId);
  const guest = guestOf(event);
  const row = { event_fingerprint: '', customer_id: guest, meal_plan: `plan of ${event}`, warnings: [] };
  const facts = { event_id: eventId, received_at: receivedAt.toISOString() };
  // Two versions are at work at once.
  const line = world.random.chance(50)
    ? code.ndjson({ ...facts, occurred_at: null, sender: 'a', schema_version: 1, ...row })
    : code.ndjson({ ...facts, sender: 'a', schema_version: 1, ...row });
  ledger.receive(eventId, guest, line);
  return { eventId, receivedAt, line, partition: code.partitionOf(receivedAt) };
}

function storesOf({ network, bucket }: Stage, actor: Actor, queue: ModelQueue, background: Promise<unknown>[]): Stores {
  return {
    queue: network.producer(actor, queue),
    bucket: network.bucket(actor, bucket),
    background: { waitUntil: (promise: Promise<unknown>) => void background.push(promise) },
  };
}

async function storeOne(code: Isolate, received: Received | undefined, stores: Stores, ledger: Stage['ledger']) {
  if (received === undefined) return;
  const { line, partition, eventId } = received;
  const durable = await code.makeDurable(line, () => code.objectKey('landing', partition, eventId), stores);
  if (durable.ok) acknowledge(ledger, received);
}

function acknowledge(ledger: Stage['ledger'], received: Received | undefined): void {
  if (received !== undefined) ledger.acknowledge(received.eventId, received.receivedAt.getTime());
}

/** Senders whose bodies are refused. */
function refusals(stage: Stage): void {
  const { world, profile, ledger } = stage;
  for (let body = 0; body < profile.refusedBodies; body += 1) {
    world.after(world.random.int(0, profile.arrivalMs), () => {
      invoke(stage, 'intake', REQUEST_LIMIT_MS, async (code, actor) => {
        const background: Promise<unknown>[] = [];
        const received = { bytes: new Uint8Array(Buffer.from(`body ${body}`)), encoding: '', ending: 'whole' } as const;
        const stores = storesOf(stage, actor, stage.rejectedQueue, background);
        const kept = await code.keepRefused({ reason: 'not_utf8' }, received, new Headers(), 'a', stores);
        if (kept !== undefined) ledger.kept.refuse(kept.rejectionId);
        await Promise.allSettled(background);
      });
    });
  }
}

/** Somebody else who sends to the queue. */
function foreigners({ world, profile, queue, ledger }: Stage): void {
  const messages = Math.ceil((profile.events * profile.foreignPercent) / 100);
  for (let message = 0; message < messages; message += 1) {
    const text = `message ${message} of somebody else`;
    const of = { CustomerId: guestOf(message * 3), text };
    const body = world.random.pick<unknown>([text, of, JSON.stringify(of), 2n ** 64n, new Map([[1, 2]])]);
    // Of what is neither text nor JSON, only its kind is kept.
    if (typeof body === 'string' || body === of) ledger.kept.send(text);
    world.after(world.random.int(0, profile.activeMs), () => queue.send(body, world.now));
  }
}

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
    await code.expireGuests({ ...tools, digest: await code.createKeyedDigest(PSEUDONYM_KEY) }, 0);
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
        guests: await code.createGuests(hides ? 'left_out' : 'kept', PSEUDONYM_KEY),
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
