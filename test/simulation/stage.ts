/** Where a run takes place. */

import { seeded } from '../faults/random.ts';
import { enter, type Isolate, type Tools } from './isolates.ts';
import { Ledger } from './ledger.ts';
import { ModelBucket } from './model-bucket.ts';
import { ModelQueue } from './model-queue.ts';
import { Network } from './network.ts';
import { chooseProfile, DAY_MS, HOUR_MS, MINUTE_MS } from './profile.ts';
import { QueueBindings } from './queue-bindings.ts';
import { R2 } from './r2.ts';
import { World } from './world.ts';

/** The code that a run is of. */
export interface Code {
  readonly isolates: readonly [Isolate, ...Isolate[]];
  readonly tools: Tools;
}

/** What actors share. */
export type Stage = Readonly<ReturnType<typeof setStage>>;

/** Each seed has days of its own, since the clock of an isolate never goes back. */
const FIRST_DAY = Date.parse('2026-07-01T00:00:00.000Z');
const DAYS_OF_A_SEED = 120;

/** Half of them begin before midnight: a day that is complete is rewritten. */
const LAST_HOUR = 22;

const DEAD_LETTER_DELIVERIES = 101;
const GATHER_DELIVERIES = 11;

/** Sets the stage for a seed, and has everything happen there from now on. */
export function setStage(seed: number, { isolates, tools }: Code) {
  const random = seeded(seed);
  const hour = seed % 2 === 0 ? LAST_HOUR : 0;
  const start = FIRST_DAY + seed * DAYS_OF_A_SEED * DAY_MS + hour * HOUR_MS + random.int(0, 60) * MINUTE_MS;
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
  const queues = new QueueBindings(network);
  const r2 = new R2(network, bucket, queues);
  const skewed = (code: Isolate) => ({ code, skewMs: random.int(-profile.skewMs, profile.skewMs) });
  const [first, ...others] = isolates;
  return {
    world,
    /** When the run began. */
    start,
    profile,
    network,
    r2,
    queues,
    ledger,
    tools,
    bucket,
    queue,
    deadLetters,
    gatherQueue,
    rejectedQueue,
    rejectedDeadLetters,
    /** Isolates with the clock of each. */
    isolates: [skewed(first), ...others.map(skewed)] as const,
    /** Whether the run is in its second half, in which nothing comes and nothing fails. */
    isOver: () => network.calm,
  };
}
