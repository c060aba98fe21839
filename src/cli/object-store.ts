/** R2 from outside the Worker, over its S3 API: the local one of `npm start`, or a bucket in production. */

import { requestsTo, type StoreLocation } from './object-store/request.ts';
import { readListing, type StoredObject } from './object-store/xml.ts';

/** Read access to a bucket. */
export interface ReadableStore {
  /**
   * Lists all objects under a prefix in key order, across pages.
   *
   * @param after - Only keys after this one.
   */
  list(prefix: string, after?: string): AsyncGenerator<StoredObject>;
  /** Reads an object whole, since none is larger than a Worker's memory; undefined if it does not exist. */
  get(key: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** Read and write access to a bucket. */
export interface ObjectStore extends ReadableStore {
  /** The time by the clock of the store, to the second. */
  now(): Promise<Date>;
  /** Reads an object with its ETag, for {@link create}. */
  getTagged(key: string): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly etag: string } | undefined>;
  /**
   * Creates an object, or replaces the one with the ETag. Returns false, without writing, if the key is taken or the
   * object has changed.
   */
  create(key: string, body: string | Uint8Array<ArrayBuffer>, etag?: string): Promise<boolean>;
  /** Deletes an object. It is no error if there is none. */
  delete(key: string): Promise<void>;
}

/**
 * Creates a client of a bucket, which sends nothing before the first call. Calls throw when they fail, with R2's answer.
 *
 * @param signal - Aborts all calls.
 */
export function createObjectStore(
  location: StoreLocation,
  signal: AbortSignal = new AbortController().signal,
): ObjectStore {
  const send = requestsTo(location, signal);

  async function open(key: string): Promise<Response | undefined> {
    const response = await send({ purpose: `read ${key}`, path: pathOf(key), expected: [200, 404] });
    return response.status === 404 ? undefined : response;
  }

  return {
    async now() {
      const path = '?list-type=2&max-keys=1';
      const date = (await send({ purpose: 'ask for the time', path, expected: [200] })).headers.get('date');
      // R2 sends the header (RFC 9110 section 6.6.1); the local S3 endpoint does not, and uses this machine's clock.
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
 * The URL path of a key. Every character but the slash is encoded, as the signature requires (AWS Signature Version 4).
 *
 * @throws For a segment of dots, which URLs resolve: it would address another object.
 */
function pathOf(key: string): string {
  if (/(?:^|\/)\.{1,2}(?:\/|$)/.test(key)) {
    throw new Error(
      `Cannot address the object ${JSON.stringify(key)}: "." and ".." in a key mean another one; delete it`,
    );
  }
  return `/${key.split('/').map(encodeURIComponent).join('/')}`;
}
