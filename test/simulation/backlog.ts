/**
 * A backlog of single rows, worked off in virtual time by the code that works it off in production: the publisher every
 * minute, and consumers that gather. Each invocation has six connections, and each call takes the same time. Prints JSON.
 *
 * Arguments: how many objects, how many consumers, and how many milliseconds a call takes.
 */

import { v7 } from 'uuid';
import type { Delivery } from '../../src/landing/write-then-settle.ts';
import type { GatherQueue } from '../../src/publish/ask-to-gather.ts';
import { LIMITS } from '../../src/publish/limits.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { type GatherRequest, sourceKeysOf } from '../../src/storage/gather-request.ts';
import { objectKey, partitionOf } from '../../src/storage/keys.ts';
import { toLine } from '../../src/storage/line.ts';
import { seeded } from '../faults/random.ts';
import { FULL_EVENT } from '../sample.ts';
import { sampleRow } from '../sample-row.ts';
import { enter, installLoader, loadIsolate, takeOverPlatform } from './isolates.ts';
import { ModelBucket } from './model-bucket.ts';
import { Network } from './network.ts';
import { chooseProfile } from './profile.ts';
import { QueueBindings } from './queue-bindings.ts';
import { R2 } from './r2.ts';
import { type Actor, World } from './world.ts';

const START = Date.parse('2026-07-10T09:00:00Z');
const MINUTE_MS = 60_000;
const INVOCATION_LIMIT_MS = 15 * MINUTE_MS;

const [objects = 100_000, consumers = 1, callMs = 100] = process.argv.slice(2).map(Number);
const say = console.info.bind(console);
const bucket = new ModelBucket();
for (let at = 0; at < objects; at += 1) {
  const id = v7({ msecs: START + Math.floor((at / objects) * 60 * MINUTE_MS) });
  const key = objectKey('landing', partitionOf(new Date(START + Math.floor((at / objects) * 60 * MINUTE_MS))), id);
  bucket.put(key, toLine(sampleRow(FULL_EVENT, id)), START);
}

takeOverPlatform();
installLoader();
const world = new World(seeded(1), START + 90 * MINUTE_MS);
const code = await loadIsolate('backlog');
enter(world);

const profile = chooseProfile(seeded(1));
/** Nothing fails here, and every call takes the same time. */
class SteadyNetwork extends Network {
  protected override durationOfCall(): number {
    return callMs;
  }
}
const network = new SteadyNetwork(world, { ...profile, listPage: 1_000 });
network.calm = true;
const r2 = new R2(network, bucket, new QueueBindings(network));
const waiting: GatherRequest[] = [];
let gathered = { first: 0, last: 0, objects: 0 };
let published = 0;
let runs = 0;

function actorOf(name: string): Actor {
  return { name, skewMs: 0, patienceMs: 0, dead: false };
}

/** A consumer: one request after the other, each in an invocation of its own. */
function consume(): void {
  const request = waiting.shift();
  if (request === undefined) {
    world.after(1_000, consume);
    return;
  }
  const present = () => sourceKeysOf(request).filter((key) => bucket.get(key) !== undefined).length;
  const before = present();
  const actor = actorOf('gather');
  const message: Delivery = {
    id: request.output,
    timestamp: new Date(world.now),
    attempts: 1,
    body: request,
    ack() {
      const objects = before - present();
      // A message that comes late is none that was carried out.
      if (objects > 0) gathered = { ...gathered, last: world.now, objects: gathered.objects + objects };
    },
    retry() {
      throw new Error('A request to gather has failed');
    },
  };
  const to = r2.bucket(actor) as unknown as R2Bucket;
  const body = () => code.gatherBatch({ queue: 'gather', messages: [message] }, to);
  world.spawn(actor, INVOCATION_LIMIT_MS, body, consume);
}

/** The publisher, every minute. */
function fire(): void {
  world.after(MINUTE_MS, fire);
  const actor = actorOf('publisher');
  const clock = {
    now: () => Date.now(),
    wait: (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  };
  const queue = {
    async sendBatch(messages: Iterable<{ readonly body: GatherRequest }>) {
      if (gathered.first === 0) gathered.first = world.now;
      for (const each of messages) waiting.push(each.body);
    },
  };
  const body = async () => {
    const to: Bucket = r2.bucket(actor);
    const run = await code.publish(to, clock, LIMITS, queue as unknown as GatherQueue);
    published += run.rows;
    runs += 1;
  };
  world.spawn(actor, INVOCATION_LIMIT_MS, body, () => {});
}

const from = world.now;
fire();
for (let consumer = 0; consumer < consumers; consumer += 1) consume();
while (published < objects && world.now < from + 24 * 60 * MINUTE_MS) {
  await world.runUntil(world.now + 10_000);
  if (world.violation !== undefined) throw new Error(world.violation);
}
if (published !== objects) throw new Error(`${published} of ${objects} rows were published`);
const gatherSeconds = (gathered.last - gathered.first) / 1_000;
say(
  JSON.stringify({
    consumers,
    callMs,
    gathered: gathered.objects,
    gatherSeconds,
    objectsPerSecond: gathered.objects / gatherSeconds,
    runs,
    minutes: (world.now - from) / MINUTE_MS,
  }),
);
