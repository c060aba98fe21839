/** Everybody who is at work in a run. Another one is another function in {@link ACTORS}. */

import type { Origin } from '../../src/landing/land.ts';
import type { Delivery } from '../../src/landing/write-then-settle.ts';
import { environmentOf } from './environment.ts';
import { askToErase, find } from './find-guest.ts';
import { GUESTS, NOBODY } from './guests.ts';
import { INVOCATION_LIMIT_MS, invoke, runTool } from './invoke.ts';
import type { Isolate } from './isolates.ts';
import type { ModelMessage, ModelQueue } from './model-queue.ts';
import { MINUTE_MS, SECOND_MS } from './profile.ts';
import { foreigners, intake, refusals } from './senders.ts';
import type { Stage } from './stage.ts';
import type { Actor, Ending } from './world.ts';

/** A part of the cast: it starts what it does, again and again. */
type Part = (stage: Stage) => void;

const MAX_BATCH = 8;

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
    const isDown = network.isDown(profile.deliveryOutages) && !isOver();
    if (isDown || network.asleep || network.stuck) return;
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
  const { r2 } = stage;
  return (code: Isolate, actor: Actor, told: readonly Told[]) =>
    code.land(origin, deliveriesOf(stage, actor, told), r2.bucket(actor));
}

/** Consumers that gather landing objects, each message in an invocation of its own. */
function gatherers(stage: Stage): void {
  const { r2 } = stage;
  consume(
    stage,
    stage.gatherQueue,
    (code, actor, told) => {
      const messages = deliveriesOf(stage, actor, told);
      const to = r2.bucket(actor) as unknown as R2Bucket;
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

/** The cron of the publisher: alarms, publishing, the watermark, and erasing. */
function publisher(stage: Stage): void {
  cron(stage, 'publish', { everyMinutes: 1, everyMinutesOver: 5 });
}

/** The cron of the table. */
function table(stage: Stage): void {
  cron(stage, 'table', { everyMinutes: 2, everyMinutesOver: 6 });
}

/** A cron, which may not come, or come twice. */
function cron(
  stage: Stage,
  name: 'publish' | 'table',
  { everyMinutes, everyMinutesOver }: { readonly everyMinutes: number; readonly everyMinutesOver: number },
): void {
  const { world, profile, network, isOver } = stage;
  const { random } = world;
  function run(scheduledTime: number): void {
    invoke(stage, name, INVOCATION_LIMIT_MS, (code, actor) =>
      code.runScheduled({ cron: name, scheduledTime, noRetry() {} }, environmentOf(stage, actor)),
    );
  }
  function fire(): void {
    const scheduled = Math.floor(world.now / MINUTE_MS) * MINUTE_MS;
    const minutes = isOver() ? everyMinutesOver : everyMinutes;
    world.after(scheduled + minutes * MINUTE_MS + random.int(0, 8_000) - world.now, fire);
    const missed = random.chance(profile.cronMissPercent) || network.isDown(profile.cronOutages);
    if (network.asleep || (missed && !isOver())) return;
    run(scheduled);
    if (random.chance(profile.cronTwicePercent)) world.after(random.int(0, 30_000), () => run(scheduled));
  }
  fire();
}

/** How often somebody asks what is there, and for nothing else. */
const SEARCHES = 4;

/** Guests, each of whom asks at some time to be erased, until the request is made, and one who only asks what is there. */
function guests(stage: Stage): void {
  const { world, profile, ledger } = stage;
  const { random } = world;
  function ask(guest: string): void {
    runTool(
      stage,
      (actor) => askToErase(stage, actor, guest),
      () => {
        if (!ledger.erasures.isAsked(guest)) world.after(random.int(1, 10) * MINUTE_MS, () => ask(guest));
      },
    );
  }
  if (!profile.erases) return;
  for (const guest of GUESTS) world.after(random.int(0, profile.activeMs), () => ask(guest));
  for (let search = 0; search < SEARCHES; search += 1) {
    world.after(random.int(0, profile.activeMs), () => runTool(stage, (actor) => find(stage, actor, NOBODY)));
  }
}

/** The cast. */
export const ACTORS: readonly Part[] = [intake, refusals, foreigners, landing, gatherers, publisher, table, guests];
