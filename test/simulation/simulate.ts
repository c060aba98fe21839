/** One run: a seed decides everything that happens. */

import { seeded } from '../faults/random.ts';
import { ACTORS, publishAt } from './actors.ts';
import { enter, type Isolate } from './isolates.ts';
import { Ledger } from './ledger.ts';
import { ModelBucket } from './model-bucket.ts';
import { ModelQueue } from './model-queue.ts';
import { Network } from './network.ts';
import { chooseProfile, HOUR_MS, MINUTE_MS } from './profile.ts';
import type { Stage } from './stage.ts';
import { World } from './world.ts';

/** What came of a run. */
export interface Outcome {
  /** What did not hold; undefined when all did. */
  readonly violation: string | undefined;
  readonly steps: number;
  readonly events: number;
  readonly parts: number;
  /** Events that the watermark passed because the metrics were wrong. */
  readonly late: number;
  /** Of everything that was written: equal for equal runs. */
  readonly trace: string;
}

/** Each seed has days of its own, since the clock of an isolate never goes back. */
const FIRST_DAY = Date.parse('2026-07-01T00:00:00.000Z');
const DAYS_OF_A_SEED = 4;

/** Half of them begin before midnight: a day that is complete is rewritten. */
const LAST_HOUR = 22;

/** How long it may take, when nothing fails any more, until everything is published: dead letters are tried every 4 h. */
const RECOVERY_MS = 16 * HOUR_MS;

/** Nothing of a guest can come any more after the 60 days for which a request is kept. */
const WANTED_NO_MORE_MS = 61 * 24 * HOUR_MS;
const DEAD_LETTER_DELIVERIES = 101;
const GATHER_DELIVERIES = 11;

/** Runs a seed. */
export async function simulate(seed: number, isolates: readonly [Isolate, ...Isolate[]]): Promise<Outcome> {
  const random = seeded(seed);
  const hour = seed % 2 === 0 ? LAST_HOUR : 0;
  const start = FIRST_DAY + seed * DAYS_OF_A_SEED * 24 * HOUR_MS + hour * HOUR_MS + random.int(0, 60) * MINUTE_MS;
  const world = new World(random, start);
  enter(world);
  const profile = chooseProfile(random);
  const bucket = new ModelBucket();
  const deadLetters = new ModelQueue('dead-letters', DEAD_LETTER_DELIVERIES);
  const queue = new ModelQueue('events', profile.maxDeliveries, deadLetters);
  const gatherQueue = new ModelQueue('gather', GATHER_DELIVERIES);
  const rejectedDeadLetters = new ModelQueue('rejected-dead-letters', DEAD_LETTER_DELIVERIES);
  const rejectedQueue = new ModelQueue('rejected', profile.maxDeliveries, rejectedDeadLetters);
  const ledger = new Ledger(world, bucket, profile);
  bucket.watcher = ledger;
  queue.watcher = ledger.queueWatcher;
  deadLetters.watcher = ledger.queueWatcher;
  const network = new Network(world, profile);
  const skewed = (code: Isolate) => ({ code, skewMs: random.int(-profile.skewMs, profile.skewMs) });
  const [first, ...others] = isolates;
  const stage: Stage = {
    world,
    profile,
    network,
    ledger,
    bucket,
    queue,
    deadLetters,
    gatherQueue,
    rejectedQueue,
    rejectedDeadLetters,
    isolates: [skewed(first), ...others.map(skewed)],
    isOver: () => network.calm,
  };

  for (const part of ACTORS) part(stage);
  const activeUntil = start + profile.activeMs;
  await world.runUntil(activeUntil);
  network.calm = true;
  const queues = [queue, deadLetters, rejectedQueue, rejectedDeadLetters];
  const queued = () => queues.reduce((sum, { messages }) => sum + messages.size, 0);
  for (let passed = 0; passed < RECOVERY_MS && world.violation === undefined; passed += 30 * MINUTE_MS) {
    if (queued() === 0 && ledger.isComplete(activeUntil)) break;
    await world.runUntil(activeUntil + passed + 30 * MINUTE_MS);
  }
  if (world.violation === undefined) ledger.checkEnd(queued(), activeUntil);
  if (world.violation === undefined && profile.erases) {
    network.closed = true;
    ledger.endRequests();
    for (let run = 0; run < 3; run += 1) {
      await world.runUntil(world.now + 20 * MINUTE_MS);
      publishAt(stage, world.now + WANTED_NO_MORE_MS);
    }
    await world.runUntil(world.now + 20 * MINUTE_MS);
    ledger.checkRequestsDeleted();
  }
  return {
    violation: world.violation,
    steps: world.steps,
    events: ledger.events.size,
    parts: ledger.lastSequence,
    late: ledger.watermark?.late_events ?? 0,
    trace: ledger.trace.digest('hex'),
  };
}
