/** R2 as actors see it: by the binding of the Worker, and by the store of the tools. */

import type { ObjectStore } from '../../src/cli/object-store.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import type { ModelBucket, ModelObject } from './model-bucket.ts';
import type { Network } from './network.ts';
import { SECOND_MS } from './profile.ts';
import type { QueueBindings } from './queue-bindings.ts';
import type { Actor } from './world.ts';

/** Where the publisher writes down what the queues have said. */
const READINGS_KEY = 'publish/watermark.json';

/** What the tools use of a bucket. */
type ToolStore = Pick<ObjectStore, 'now' | 'list' | 'get' | 'create'>;

/** The way to a bucket. */
export class R2 {
  readonly #network: Network;
  readonly #model: ModelBucket;
  readonly #queues: Pick<QueueBindings, 'remember'>;
  /** How far its clock is off, in milliseconds. */
  readonly #skewMs: number;
  /** When a key was written, as far as an actor knows that it did. */
  readonly #writes = new WeakMap<Actor, Map<string, Date>>();

  constructor(network: Network, model: ModelBucket, queues: Pick<QueueBindings, 'remember'>) {
    const { world, profile } = network;
    this.#network = network;
    this.#model = model;
    this.#queues = queues;
    this.#skewMs = world.random.int(-profile.skewMs, profile.skewMs);
  }

  #call<Value>(actor: Actor, effect: () => Value): Promise<Value> {
    return this.#network.call(actor, this.#network.profile.bucketOutages, effect);
  }

  /**
   * R2 takes one write of a key in a second. Others may have come first; an actor that was told of its own write waits,
   * as long as its clock is that of R2.
   */
  #refuseSecondWrite(actor: Actor, key: string, before: ModelObject | undefined): void {
    const { now, belated } = this.#network.world;
    if (before === undefined || now - before.uploaded.getTime() >= SECOND_MS) return;
    const isOwn = this.#writes.get(actor)?.get(key) === before.uploaded;
    if (isOwn && !belated && this.#network.profile.skewMs === 0) {
      this.#network.world.violate(`${actor.name} wrote ${key} twice in a second`);
    }
    throw new Error('put: Too many writes of the same object. (10058)');
  }

  #noteWrite(actor: Actor, key: string, uploaded: Date | undefined): void {
    const own = this.#writes.get(actor) ?? new Map<string, Date>();
    if (uploaded !== undefined) this.#writes.set(actor, own.set(key, uploaded));
  }

  /** Deletes keys; of several, some may be gone and the others not when the call fails. */
  #deleteSome(keys: string | string[]): void {
    const inPart = typeof keys !== 'string' && keys.length > 1 && this.#network.isUnlucky();
    this.#model.delete(inPart ? keys.filter(() => this.#network.world.random.chance(50)) : keys);
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
      uploaded: new Date(object.uploaded.getTime() + this.#skewMs),
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

  /** Writes as both ways do, under the limit of R2. */
  async #put(actor: Actor, key: string, body: string | Uint8Array, options: Parameters<ModelBucket['put']>[3]) {
    const written = await this.#call(actor, () => {
      this.#refuseSecondWrite(actor, key, this.#model.get(key));
      const put = this.#model.put(key, body, this.#network.world.now, options);
      if (put !== undefined && key === READINGS_KEY) this.#queues.remember(actor);
      return put;
    });
    this.#noteWrite(actor, key, written?.uploaded);
    return written;
  }

  /** The bucket as the Worker sees it. */
  bucket(actor: Actor): Bucket {
    const model = this.#model;
    const call = <Value>(effect: () => Value) => this.#call(actor, effect);
    const bucket = {
      head: (key: string) => call(() => this.#toR2(model.get(key))),
      get: (key: string) => call(() => this.#toR2(model.get(key), this.#network.isUnlucky())),
      put: async (key: string, value: unknown, options: R2PutOptions = {}) => {
        const onlyIf = options.onlyIf instanceof Headers ? {} : (options.onlyIf ?? {});
        const asked = { ...options, onlyIf } as Parameters<ModelBucket['put']>[3];
        return this.#toR2(await this.#put(actor, key, await bytesOf(value), asked));
      },
      list: (options: R2ListOptions) =>
        call(() => {
          const { objects, cursor } = model.list(options, this.#network.profile.listPage);
          return {
            objects: objects.map((object) => this.#toR2(object)),
            delimitedPrefixes: [],
            truncated: cursor !== undefined,
            cursor,
          };
        }),
      delete: (keys: string | string[]) => call(() => this.#deleteSome(keys)),
    };
    // The models have what our code uses of R2, and nothing else; what it does not use fails in the simulation.
    return bucket as unknown as Bucket;
  }

  /** The bucket as the tools see it, whose bodies break off and who write no more often, as the Worker's. */
  store(actor: Actor): ToolStore {
    const model = this.#model;
    const call = <Value>(effect: () => Value) => this.#call(actor, effect);
    const timeOf = (moment: number) => new Date(moment + this.#skewMs);
    return {
      now: () => call(() => timeOf(this.#network.world.now)),
      async *list(prefix, startAfter = '') {
        for (let after: string | undefined = startAfter; after !== undefined; ) {
          const from: string = after;
          const page = await call(() => model.list({ prefix, startAfter: from }));
          for (const { key, body, uploaded } of page.objects) {
            yield { key, bytes: body.length, modified: timeOf(uploaded.getTime()) };
          }
          after = page.cursor;
        }
      },
      get: (key) =>
        call(() => {
          if (this.#network.isUnlucky()) throw new Error(`injected: the body of ${key} broke off`);
          return model.get(key)?.body.slice();
        }),
      create: async (key, body, etag) => {
        const onlyIf = etag === undefined ? { etagDoesNotMatch: '*' } : { etagMatches: etag };
        return (await this.#put(actor, key, body, { onlyIf })) !== undefined;
      },
    };
  }
}

async function bytesOf(value: unknown): Promise<string | Uint8Array> {
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  if (value instanceof ReadableStream) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of value) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
  throw new Error('The model of R2 takes text, bytes and streams');
}
