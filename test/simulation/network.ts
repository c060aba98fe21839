/** Calls to the bucket and the queues: slow, failing, of unknown outcome, and without an answer. */

import type { ObjectStore } from '../../src/cli/object-store.ts';
import type { Bucket } from '../../src/publish/bucket.ts';
import type { ModelBucket, ModelObject } from './model-bucket.ts';
import type { ModelMessage, ModelQueue } from './model-queue.ts';
import { MINUTE_MS, type Outage, type Profile, SECOND_MS } from './profile.ts';
import type { Actor, World } from './world.ts';

/** How calls go wrong. */
const FAULTS = [
  'refused',
  'done and reported as failed',
  'done late',
  'answered late',
  'held up',
  'no answer',
  'done, no answer',
] as const;

/** The connections of an invocation: a call that gets no answer keeps its own (Workers, Limits). */
const CONNECTIONS = 6;

/** How late something can still happen of which the caller knows nothing. */
const LATEST_EFFECT_MS = 20 * SECOND_MS;
/** Where the publisher writes down what the queues have said. */
const READINGS_KEY = 'publish/watermark.json';

const SLOWEST_MS = 40 * SECOND_MS;

/** The way to the bucket and the queues. */
export class Network {
  /** Whether nothing fails any more, and whether no cron comes any more. */
  calm = false;
  closed = false;
  readonly #world: World;
  readonly #profile: Profile;
  readonly #start: number;
  /** How far the clock of R2 is off, in milliseconds. */
  readonly #bucketSkewMs: number;
  /** When a key was written, as far as an actor knows that it did. */
  readonly #writes = new WeakMap<Actor, Map<string, Date>>();

  /** The calls of an invocation that wait for an answer, and those that wait for a connection. */
  readonly #connections = new WeakMap<Actor, { open: number; readonly waiting: (() => void)[] }>();

  /** What the readings of a run have counted, until they are written down: those that are lost say nothing. */
  readonly #counted = new WeakMap<Actor, ModelMessage[]>();

  constructor(world: World, profile: Profile) {
    this.#world = world;
    this.#profile = profile;
    this.#start = world.now;
    this.#bucketSkewMs = world.random.int(-profile.skewMs, profile.skewMs);
  }

  /** Whether something goes wrong that is no call of its own. */
  #isUnlucky(): boolean {
    return !this.calm && this.#world.random.chance(this.#profile.faultPercent);
  }

  /** Whether an outage is under way. */
  isDown(outages: readonly Outage[]): boolean {
    const at = this.#world.now - this.#start;
    return outages.some(({ from, to }) => at >= from && at < to);
  }

  /** Makes a call. `effect` is what it does, which happens once, or not at all. */
  call<Value>(actor: Actor, outages: readonly Outage[], effect: () => Value): Promise<Value> {
    return new Promise((resolve, reject) => {
      const start = () => this.#begin(actor, outages, effect, resolve, reject);
      const connections = this.#connections.get(actor) ?? { open: 0, waiting: [] };
      this.#connections.set(actor, connections);
      if (connections.open === CONNECTIONS) connections.waiting.push(start);
      else {
        connections.open += 1;
        start();
      }
    });
  }

  /** Gives a connection to the call that waits longest. */
  #release(actor: Actor): void {
    const connections = this.#connections.get(actor);
    if (connections === undefined) return;
    const next = connections.waiting.shift();
    if (next === undefined) connections.open -= 1;
    else next();
  }

  #begin<Value>(
    actor: Actor,
    outages: readonly Outage[],
    effect: () => Value,
    resolve: (value: Value) => void,
    reject: (error: unknown) => void,
  ): void {
    // Nothing that a dead isolate wants is heard.
    if (actor.dead) return;
    const { random } = this.#world;
    const duration = this.durationOfCall();
    const down = !this.calm && this.isDown(outages);
    const fault = down ? 'refused' : this.#chooseFault();
    const answer = (after: number, settle: () => void) => {
      this.#world.after(after, () => {
        this.#release(actor);
        this.#world.resume(actor, settle);
      });
    };
    const fail = (after: number) => answer(after, () => reject(new Error(`injected: ${fault}`)));
    const happen = (after: number, then: (value: Value) => void) => {
      this.#world.after(after, () => {
        this.#world.belated = fault === 'held up' || fault === 'done late';
        try {
          then(effect());
        } catch (error) {
          answer(duration / 2, () => reject(error));
        } finally {
          this.#world.belated = false;
        }
      });
    };
    switch (fault) {
      case 'none':
        happen(duration / 2, (value) => answer(duration / 2, () => resolve(value)));
        break;
      case 'answered late':
        happen(duration / 2, (value) => answer(random.int(1, SLOWEST_MS), () => resolve(value)));
        break;
      case 'held up':
        happen(random.int(1, actor.patienceMs), (value) => answer(1, () => resolve(value)));
        break;
      case 'refused':
        fail(duration);
        break;
      case 'done and reported as failed':
        happen(duration / 2, () => {});
        fail(duration);
        break;
      case 'done late':
        happen(random.int(1, LATEST_EFFECT_MS), () => {});
        fail(duration);
        break;
      case 'no answer':
        break;
      case 'done, no answer':
        happen(duration / 2, () => {});
        break;
    }
  }

  /** How long a call takes, in milliseconds. */
  protected durationOfCall(): number {
    return this.#world.random.int(1, 300);
  }

  #remember(actor: Actor): void {
    for (const message of this.#counted.get(actor) ?? []) message.countedAt = this.#world.now;
  }

  #chooseFault(): (typeof FAULTS)[number] | 'none' {
    const { random } = this.#world;
    return !this.calm && random.chance(this.#profile.faultPercent) ? random.pick(FAULTS) : 'none';
  }

  /**
   * R2 takes one write of a key in a second. Others may have come first; an actor that was told of its own write waits,
   * as long as its clock is that of R2.
   */
  #refuseSecondWrite(actor: Actor, key: string, before: ModelObject | undefined): void {
    const { now, belated } = this.#world;
    if (before === undefined || now - before.uploaded.getTime() >= SECOND_MS) return;
    const isOwn = this.#writes.get(actor)?.get(key) === before.uploaded;
    if (isOwn && !belated && !this.closed && this.#profile.skewMs === 0) {
      this.#world.violate(`${actor.name} wrote ${key} twice in a second`);
    }
    throw new Error('put: Too many writes of the same object. (10058)');
  }

  #noteWrite(actor: Actor, key: string, uploaded: Date | undefined): void {
    const own = this.#writes.get(actor) ?? new Map<string, Date>();
    if (uploaded !== undefined) this.#writes.set(actor, own.set(key, uploaded));
  }

  /** Deletes keys; of several, some may be gone and the others not when the call fails. */
  #deleteSome(model: ModelBucket, keys: string | string[]): void {
    const inPart = typeof keys !== 'string' && keys.length > 1 && this.#isUnlucky();
    model.delete(inPart ? keys.filter(() => this.#world.random.chance(50)) : keys);
    if (inPart) throw new Error('injected: deleted in part');
  }

  /** An object as a binding hands it out. */
  #toR2(object: ModelObject | undefined, isBroken = false) {
    if (object === undefined) return null;
    const { key, body, etag, customMetadata } = object;
    const broken = () => new Error('injected: the body broke off');
    const whole = async () => {
      if (isBroken) throw broken();
      return body.slice();
    };
    return {
      key,
      size: body.length,
      etag,
      uploaded: new Date(object.uploaded.getTime() + this.#bucketSkewMs),
      customMetadata,
      get body() {
        return new ReadableStream({
          start(controller) {
            controller.enqueue(isBroken ? body.slice(0, body.length / 2) : body.slice());
          },
          pull(controller) {
            if (isBroken) controller.error(broken());
            else controller.close();
          },
        });
      },
      text: async () => new TextDecoder().decode(await whole()),
      arrayBuffer: async () => (await whole()).buffer,
      bytes: whole,
    };
  }

  /** The bucket as an actor sees it. */
  bucket(actor: Actor, model: ModelBucket): Bucket {
    const { bucketOutages, listPage } = this.#profile;
    const call = <Value>(effect: () => Value) => this.call(actor, bucketOutages, effect);
    const now = () => this.#world.now;
    const bucket = {
      head: (key: string) => call(() => this.#toR2(model.get(key))),
      get: (key: string) => call(() => this.#toR2(model.get(key), this.#isUnlucky())),
      put: async (key: string, value: unknown, options: R2PutOptions = {}) => {
        const body = await bytesOf(value);
        const onlyIf = options.onlyIf instanceof Headers ? {} : (options.onlyIf ?? {});
        const written = await call(() => {
          this.#refuseSecondWrite(actor, key, model.get(key));
          const put = model.put(key, body, now(), { ...options, onlyIf } as Parameters<ModelBucket['put']>[3]);
          if (put !== undefined && key === READINGS_KEY) this.#remember(actor);
          return put;
        });
        this.#noteWrite(actor, key, written?.uploaded);
        return this.#toR2(written);
      },
      list: (options: R2ListOptions) =>
        call(() => {
          const { objects, cursor } = model.list(options, listPage);
          return {
            objects: objects.map((object) => this.#toR2(object)),
            delimitedPrefixes: [],
            truncated: cursor !== undefined,
            cursor,
          };
        }),
      delete: (keys: string | string[]) => call(() => this.#deleteSome(model, keys)),
    };
    // The models have what our code uses of R2, and nothing else; what it does not use fails in the simulation.
    return bucket as unknown as Bucket;
  }

  /** The bucket as the tools see it. */
  store(actor: Actor, model: ModelBucket): Pick<ObjectStore, 'list' | 'get' | 'create'> {
    const { bucketOutages } = this.#profile;
    const call = <Value>(effect: () => Value) => this.call(actor, bucketOutages, effect);
    const now = () => this.#world.now;
    const bucketSkewMs = this.#bucketSkewMs;
    return {
      async *list(prefix, startAfter = '') {
        for (let after: string | undefined = startAfter; after !== undefined; ) {
          const from: string = after;
          const page = await call(() => model.list({ prefix, startAfter: from }));
          for (const { key, body, uploaded } of page.objects) {
            yield { key, bytes: body.length, modified: new Date(uploaded.getTime() + bucketSkewMs) };
          }
          after = page.cursor;
        }
      },
      get: (key) => call(() => model.get(key)?.body.slice()),
      create: (key, body) =>
        call(() => model.put(key, body, now(), { onlyIf: { etagDoesNotMatch: '*' } }) !== undefined),
    };
  }

  /** The producer's side of a queue. */
  producer(actor: Actor, model: ModelQueue) {
    return {
      send: (body: unknown) => this.call(actor, this.#profile.queueOutages, () => this.#send(model, body)),
      sendBatch: (messages: Iterable<{ readonly body: unknown }>) =>
        this.call(actor, this.#profile.queueOutages, () => {
          for (const { body } of messages) this.#send(model, body);
        }),
    };
  }

  #send(model: ModelQueue, body: unknown): void {
    if (!this.calm && model.messages.size >= this.#profile.queueCapacity) throw new Error('Storage Limit Exceeded');
    model.send(body, this.#world.now);
  }

  /**
   * The metrics of a queue, as bad as they may be: a message is left out of readings, or its age is, for as long as
   * `unseenMs` says, from when it came or from when a reading counted it with its age.
   */
  metrics(actor: Actor, model: ModelQueue, unseenMs: (message: ModelMessage) => number) {
    const { hidePercent, agelessPercent, metricsLie, ageOutages } = this.#profile;
    const { random } = this.#world;
    const read = () => {
      const { now } = this.#world;
      const lies = metricsLie && !this.calm;
      const due = (message: ModelMessage) => !lies && now - message.countedAt >= unseenMs(message);
      const messages = [...model.messages.values()].filter(
        (message) => this.calm || due(message) || !(lies || random.chance(hidePercent)),
      );
      const unlucky = random.chance(agelessPercent) && !messages.some(due);
      const ageless = !this.calm && (unlucky || this.isDown(ageOutages));
      if (messages.length === 0) return { backlogCount: 0, backlogBytes: 0 };
      if (ageless) return { backlogCount: messages.length, backlogBytes: 1, oldestMessageTimestamp: new Date(0) };
      this.#counted.set(actor, [...(this.#counted.get(actor) ?? []), ...messages]);
      const oldest = Math.min(...messages.map(({ enqueuedAt }) => enqueuedAt));
      return { backlogCount: messages.length, backlogBytes: 1, oldestMessageTimestamp: new Date(oldest) };
    };
    return { metrics: () => this.call(actor, this.#profile.queueOutages, read) };
  }
}

/** For how long a message may go uncounted: no longer than a retry is delayed, with its jitter. In milliseconds. */
export const UNSEEN_MS = {
  queue: () => RETRY_MS,
  // The first delays of a dead letter are short.
  deadLetters: ({ countedAt, enqueuedAt }: ModelMessage) =>
    countedAt === enqueuedAt ? RETRY_MS : DEAD_LETTER_RETRY_MS,
} as const;

const RETRY_MS = 16.5 * MINUTE_MS;
const DEAD_LETTER_RETRY_MS = 264 * MINUTE_MS;

async function bytesOf(value: unknown): Promise<string | Uint8Array> {
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  if (value instanceof ReadableStream) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of value) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
  throw new Error('The model of R2 takes text, bytes and streams');
}
