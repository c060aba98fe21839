/** R2 from outside the Worker, over its S3 API: the local one of `npm start`, or a bucket in production. */

import { requestsTo, type StoreLocation } from './object-store/request.ts';
import { readListing, type StoredObject } from './object-store/xml.ts';

/** What can be read of a bucket. */
export interface ReadableStore {
  /** Every object under a prefix, in the order of keys, following the cursor. */
  list(prefix: string, after?: string): AsyncGenerator<StoredObject>;
  /** The bytes of an object, of which none is larger than the Worker holds; undefined when it does not exist. */
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
 */
export function openStore(location: StoreLocation, signal: AbortSignal = new AbortController().signal): ObjectStore {
  const send = requestsTo(location, signal);

  async function open(key: string): Promise<Response | undefined> {
    const response = await send({ purpose: `read ${key}`, path: pathOf(key), expected: [200, 404] });
    return response.status === 404 ? undefined : response;
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
    async get(key) {
      const response = await open(key);
      return response && Buffer.from(await response.arrayBuffer());
    },
    async getTagged(key) {
      const response = await open(key);
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
