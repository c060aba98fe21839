/**
 * R2 as its documentation describes it: strongly consistent, conditional writes, listings in the order of UTF-8 with a
 * cursor, and a lifecycle. Everything happens at once; that calls are slow and fail is added around it. Pure.
 */

import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';

/** An object. */
export interface ModelObject {
  readonly key: string;
  readonly body: Uint8Array;
  readonly etag: string;
  readonly uploaded: Date;
  readonly customMetadata: Record<string, string>;
}

/** What is asked of a put. */
export interface ModelPutOptions {
  readonly onlyIf?: { readonly etagMatches?: string; readonly etagDoesNotMatch?: string };
  readonly customMetadata?: Record<string, string>;
}

/** What is asked of a listing. */
export interface ModelListOptions {
  readonly prefix?: string;
  readonly startAfter?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

/** A page of a listing. */
export interface ModelPage {
  readonly objects: readonly ModelObject[];
  /** Where the next page begins; undefined at the end. */
  readonly cursor: string | undefined;
}

/** Who is told of every change. */
export interface BucketWatcher {
  onPut(object: ModelObject, before: ModelObject | undefined): void;
  onDelete(object: ModelObject): void;
}

/** What nobody has replayed is kept for 30 days (`npm run provision`), and deleted within another. */
const EXPIRES = /^(?:rejected|dead-letter|replayed|unreadable)\//;
const EXPIRES_MS = 31 * 86_400_000;

const encoder = new TextEncoder();

/** A bucket. */
export class ModelBucket {
  readonly objects = new Map<string, ModelObject>();
  watcher: BucketWatcher | undefined;
  /** The keys in order, each after its bytes. */
  #keys: (readonly [string, string])[] | undefined;

  get(key: string): ModelObject | undefined {
    return this.objects.get(key);
  }

  /** @returns Undefined when the condition does not hold; then nothing is written. */
  put(key: string, body: string | Uint8Array, now: number, options: ModelPutOptions = {}): ModelObject | undefined {
    const before = this.objects.get(key);
    const { etagMatches, etagDoesNotMatch } = options.onlyIf ?? {};
    if (etagMatches !== undefined && before?.etag !== etagMatches) return undefined;
    if (etagDoesNotMatch === '*' && before !== undefined) return undefined;
    if (etagDoesNotMatch !== undefined && before?.etag === etagDoesNotMatch) return undefined;
    const bytes = typeof body === 'string' ? encoder.encode(body) : body.slice();
    const object: ModelObject = {
      key,
      body: bytes,
      etag: createHash('md5').update(bytes).digest('hex'),
      uploaded: new Date(now),
      customMetadata: { ...options.customMetadata },
    };
    if (before === undefined) this.#keys = undefined;
    this.objects.set(key, object);
    this.watcher?.onPut(object, before);
    return object;
  }

  /** @param page - The most objects of this page; R2 may return fewer than asked for. */
  list({ prefix = '', startAfter = '', cursor = '', limit = 1_000 }: ModelListOptions, page = 1_000): ModelPage {
    this.#keys ??= [...this.objects.keys()]
      .map((key) => [bytesOf(key), key] as const)
      .sort(([left], [right]) => (left < right ? -1 : 1));
    const [, after = ''] = [bytesOf(cursor), bytesOf(startAfter)].sort();
    const matching = this.#keys.filter(([bytes, key]) => key.startsWith(prefix) && bytes > after);
    const objects = matching.slice(0, Math.min(limit, page)).flatMap(([, key]) => this.objects.get(key) ?? []);
    return { objects, cursor: matching.length > objects.length ? objects.at(-1)?.key : undefined };
  }

  delete(keys: string | readonly string[]): void {
    for (const key of typeof keys === 'string' ? [keys] : keys) {
      const object = this.objects.get(key);
      if (object === undefined) continue;
      this.objects.delete(key);
      this.#keys = undefined;
      this.watcher?.onDelete(object);
    }
  }

  /** Deletes what the rules of the bucket say, without telling anybody. */
  expire(now: number): void {
    for (const { key, uploaded } of [...this.objects.values()]) {
      if (EXPIRES.test(key) && now - uploaded.getTime() > EXPIRES_MS) this.objects.delete(key);
    }
    this.#keys = undefined;
  }
}

/** The UTF-8 of a key, as characters, in whose order R2 lists. */
function bytesOf(key: string): string {
  return /^[ -~]*$/.test(key) ? key : Buffer.from(key).toString('latin1');
}
