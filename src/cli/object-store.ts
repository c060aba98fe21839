/** R2 from outside the Worker, over its S3 API: the local one of `npm start`, or a bucket in production. */

import { setTimeout as sleep } from 'node:timers/promises';
import { retryDelayMs } from './backoff.ts';
import { MAX_TRIES, requestsTo, type StoreLocation } from './object-store/request.ts';
import { readListing, type StoredObject } from './object-store/xml.ts';

/** What can be read of a bucket. */
export interface ReadableStore {
  /** Every object under a prefix, in the order of keys, following the cursor. */
  list(prefix: string, after?: string): AsyncGenerator<StoredObject>;
  /**
   * Streams the bytes of an object; undefined when it does not exist. A connection that breaks is opened again.
   *
   * @param from - The offset of the first byte; there are none when it lies at the end or behind it.
   */
  read(key: string, from?: number): Promise<AsyncIterable<Uint8Array<ArrayBuffer>> | undefined>;
  /** The bytes of an object; undefined when it does not exist. */
  get(key: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** A bucket, as the tools use it. */
export interface ObjectStore extends ReadableStore {
  /** What time it is by the clock of the store, to the second. */
  now(): Promise<Date>;
  /** The same with its ETag, by which {@link create} recognises it. */
  getTagged(key: string): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly etag: string } | undefined>;
  /**
   * Creates an object, or replaces the one that has the ETag. Returns false when the key is taken, or when the object has
   * changed, and then writes nothing.
   */
  create(key: string, body: string | Uint8Array<ArrayBuffer>, etag?: string): Promise<boolean>;
  /** Deletes an object; one that is not there is no error. */
  delete(key: string): Promise<void>;
}

/**
 * Opens a bucket. Nothing is sent before the first call; each call throws, saying what R2 answered, when it fails.
 *
 * @param signal - Ends all calls.
 * @param warn - Told about what went wrong and is tried again.
 */
export function openStore(
  location: StoreLocation,
  signal: AbortSignal = new AbortController().signal,
  warn: (message: string) => void = console.error,
): ObjectStore {
  const send = requestsTo(location, signal);

  /** Asks for the bytes from an offset on: null when there are none there, undefined when there is no object. */
  async function open(key: string, offset: number, etag: string | null): Promise<Response | null | undefined> {
    const response = await send({
      purpose: `read ${key}`,
      path: pathOf(key),
      headers: { ...(offset > 0 && { range: `bytes=${offset}-` }), ...(etag !== null && { 'if-match': etag }) },
      // RFC 9110 section 14.4: 206 is the rest, 416 says that there is none.
      expected: offset > 0 ? [206, 404, 416] : [200, 404],
      isStreamed: true,
    });
    if (response.status < 400) return response;
    await response.body?.cancel();
    return response.status === 404 ? undefined : null;
  }

  async function read(key: string, from = 0) {
    const first = await open(key, from, null);
    return first === undefined ? undefined : bytesOf(key, from, first);
  }

  /**
   * The bytes of an object over connections that break: the rest is asked for, as often as bytes come, and up to
   * {@link MAX_TRIES} times in a row without any.
   */
  async function* bytesOf(key: string, from: number, first: Response | null): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const etag = first?.headers.get('etag') ?? null;
    const length = first?.headers.get('content-length') ?? null;
    const end = length === null ? 'an unknown number of' : from + Number(length);
    let offset = from;
    let tries = 0;
    let response: Response | null | undefined = first;
    while (response !== null) {
      if (response === undefined) {
        throw new Error(`Cannot read ${key}: it was deleted meanwhile; run the command again`);
      }
      try {
        for await (const chunk of response.body ?? []) {
          offset += chunk.length;
          tries = 0;
          yield chunk;
        }
        return;
      } catch (cause) {
        signal.throwIfAborted();
        tries += 1;
        const what = `the connection broke after ${offset} of ${end} bytes`;
        if (tries === MAX_TRIES) {
          throw new Error(`Cannot read ${key}: ${what}, ${tries} times; run the command again later`, { cause });
        }
        warn(`Reading ${key}: ${what}; going on from there`);
      }
      await sleep(retryDelayMs(tries, null, new Date(), Math.random()), undefined, { signal });
      response = await open(key, offset, etag);
    }
  }

  return {
    async now() {
      const path = '?list-type=2&max-keys=1';
      const date = (await send({ purpose: 'ask for the time', path, expected: [200] })).headers.get('date');
      // R2 sends it (RFC 9110 section 6.6.1); the local one does not, and has the clock of this machine.
      return date === null ? new Date() : new Date(date);
    },
    async *list(prefix, after) {
      let token: string | undefined;
      do {
        const query = new URLSearchParams({ 'list-type': '2', prefix });
        if (after !== undefined) query.set('start-after', after);
        if (token !== undefined) query.set('continuation-token', token);
        const response = await send({ purpose: `list ${prefix}`, path: `?${query}`, expected: [200] });
        const page = readListing(await response.text());
        yield* page.objects;
        token = page.next;
      } while (token !== undefined);
    },
    read,
    async get(key) {
      const body = await read(key);
      return body && Buffer.concat(await Array.fromAsync(body));
    },
    async getTagged(key) {
      const response = await open(key, 0, null);
      const etag = response?.headers.get('etag');
      return response && etag ? { bytes: new Uint8Array(await response.arrayBuffer()), etag } : undefined;
    },
    async create(key, body, etag) {
      const { status } = await send({
        purpose: `${etag === undefined ? 'create' : 'replace'} ${key}`,
        method: 'PUT',
        path: pathOf(key),
        headers: etag === undefined ? { 'if-none-match': '*' } : { 'if-match': etag },
        body,
        expected: [200, 412],
      });
      return status === 200;
    },
    async delete(key) {
      await send({ purpose: `delete ${key}`, method: 'DELETE', path: pathOf(key), expected: [200, 204, 404] });
    },
  };
}

/**
 * The path of a key. Every character but the slash is encoded, as the signature expects (AWS Signature Version 4).
 *
 * @throws For a name of dots, which an address cannot hold: it would be that of another object.
 */
function pathOf(key: string): string {
  if (/(?:^|\/)\.{1,2}(?:\/|$)/.test(key)) {
    throw new Error(
      `Cannot address the object ${JSON.stringify(key)}: "." and ".." in a key mean another one; delete it`,
    );
  }
  return `/${key.split('/').map(encodeURIComponent).join('/')}`;
}
