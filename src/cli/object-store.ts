/** R2 from outside the Worker, over its S3 API: the local one of `npm start`, or a bucket in production. */

import { requestsTo, type StoreLocation } from './object-store/request.ts';
import { resumableBody } from './object-store/resumable-body.ts';
import { readListing, type StoredObject } from './object-store/xml.ts';

/** What can be read of a bucket. */
export interface ReadableStore {
  /** What time it is by the clock of the store, to the second. */
  now(): Promise<Date>;
  /** Every object under a prefix, in the order of keys, following the cursor. */
  list(prefix: string, after?: string): AsyncGenerator<StoredObject>;
  /**
   * The bytes of an object as they come, or undefined when there is none. Where a connection breaks, the next one goes on.
   *
   * @param from - The offset of the first byte; there are none when it lies at the end or behind it.
   */
  read(key: string, from?: number): Promise<AsyncIterable<Uint8Array<ArrayBuffer>> | undefined>;
  /** The bytes of an object, or undefined when there is none. */
  get(key: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** A bucket, as the tools use it. */
export interface ObjectStore extends ReadableStore {
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

  /** Asks for an object; null when there are no bytes from the offset on. */
  function open(key: string, offset: number, etag: string | null): Promise<Response | null | undefined> {
    return send({
      purpose: `read ${key}`,
      path: pathOf(key),
      headers: { ...(offset > 0 && { range: `bytes=${offset}-` }), ...(etag !== null && { 'if-match': etag }) },
      // RFC 9110 section 14.4: 206 is the rest, 416 says that there is none.
      expected: offset > 0 ? [206, 404, 416] : [200, 404],
      async read(response) {
        if (response.status < 400) return response;
        await response.body?.cancel();
        return response.status === 404 ? undefined : null;
      },
    });
  }

  async function read(key: string, from = 0) {
    const first = await open(key, from, null);
    if (first === undefined) return undefined;
    if (first === null) return noBytes();
    const reopen = (offset: number, etag: string | null) => open(key, offset, etag);
    return resumableBody(first, { key, from, reopen, warn, signal });
  }

  return {
    now: () =>
      send({
        purpose: 'ask for the time',
        path: '?list-type=2&max-keys=1',
        expected: [200],
        async read(response) {
          await response.body?.cancel();
          const date = response.headers.get('date');
          // R2 sends it (RFC 9110 section 6.6.1); the local one does not, and has the clock of this machine.
          return date === null ? new Date() : new Date(date);
        },
      }),
    async *list(prefix, after) {
      let token: string | undefined;
      do {
        const query = new URLSearchParams({ 'list-type': '2', prefix });
        if (after !== undefined) query.set('start-after', after);
        if (token !== undefined) query.set('continuation-token', token);
        const text = await send({
          purpose: `list ${prefix}`,
          path: `?${query}`,
          expected: [200],
          read: (response) => response.text(),
        });
        const page = readListing(text);
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
    create(key, body, etag) {
      return send({
        purpose: `${etag === undefined ? 'create' : 'replace'} ${key}`,
        method: 'PUT',
        path: pathOf(key),
        headers: etag === undefined ? { 'if-none-match': '*' } : { 'if-match': etag },
        body,
        expected: [200, 412],
        read: async (response) => {
          await response.body?.cancel();
          return response.status === 200;
        },
      });
    },
    delete(key) {
      return send({
        purpose: `delete ${key}`,
        method: 'DELETE',
        path: pathOf(key),
        expected: [200, 204, 404],
        read: async (response) => response.body?.cancel(),
      });
    },
  };
}

async function* noBytes(): AsyncGenerator<Uint8Array<ArrayBuffer>> {}

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
