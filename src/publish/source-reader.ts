/** Reading landing objects in an invocation of its own, which has its own connections to R2. */

import { RpcTarget, WorkerEntrypoint } from 'cloudflare:workers';
import { type Env, loadConfig } from '../config.ts';
import type { Bucket } from './bucket.ts';
import type { Limits } from './limits.ts';
import type { Source } from './read-in-order.ts';

/** Reached through `ctx.exports` by this Worker, and by no request from outside. */
export class SourceReader extends WorkerEntrypoint<Env> {
  /** Makes an invocation that reads until what this returns is disposed of. */
  async open(): Promise<OpenReader> {
    const { bucket } = await loadConfig(this.env);
    return new OpenReader(bucket);
  }
}

/** Many calls, one invocation. */
class OpenReader extends RpcTarget {
  readonly #bucket: Pick<Bucket, 'get'>;

  constructor(bucket: Pick<Bucket, 'get'>) {
    super();
    this.#bucket = bucket;
  }

  /** Reads objects and returns their bodies in this order, as `toFrames()` writes them. */
  async read(
    sources: readonly Source[],
    limits: Pick<Limits, 'readsAhead' | 'readAheadBytes'>,
  ): Promise<ReadableStream<Uint8Array>> {
    // Loaded here, since an isolate that takes events never needs it.
    const [{ toFrames }, { readInOrder }] = await Promise.all([import('./frames.ts'), import('./read-in-order.ts')]);
    return toFrames(readInOrder(this.#bucket, sources, limits));
  }
}
