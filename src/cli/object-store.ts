/** R2 from outside the Worker, over its S3 API: the local one of `npm start`, or a bucket in production. */

import { AwsClient } from 'aws4fetch';
import { XMLParser } from 'fast-xml-parser';

/** Where a bucket answers, and with which key. */
export interface StoreLocation {
  /** The address of the bucket itself, without a slash at the end. */
  readonly url: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** An object in a listing. */
export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  readonly modified: Date;
}

/** A bucket, as the tools use it. */
export interface ObjectStore {
  /** Every object under a prefix, in the order of keys, following the cursor. */
  list(prefix: string, after?: string): AsyncGenerator<StoredObject>;
  /** The bytes of an object, or undefined when there is none. */
  get(key: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Creates an object. Returns false when the key is taken, and then writes nothing. */
  create(key: string, body: string | Uint8Array<ArrayBuffer>): Promise<boolean>;
  /** Deletes an object; one that is not there is no error. */
  delete(key: string): Promise<void>;
}

/** Opens a bucket. Nothing is sent before the first call; each call throws, saying what R2 answered, when it fails. */
export function openStore({ url, accessKeyId, secretAccessKey }: StoreLocation): ObjectStore {
  const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'auto' });

  async function call(what: string, path: string, init: RequestInit, expected: readonly number[]): Promise<Response> {
    const response = await client.fetch(`${url}${path}`, init).catch((cause: unknown) => {
      throw new Error(
        `Cannot ${what}: the bucket at ${url} does not answer; see that its address is right (locally: that npm start runs)`,
        { cause },
      );
    });
    if (expected.includes(response.status)) return response;
    const { code, message } = readError(await response.text());
    throw new Error(`Cannot ${what}: the bucket at ${url} answers ${response.status} ${code}. ${message}`);
  }

  return {
    async *list(prefix, after) {
      let token: string | undefined;
      do {
        const query = new URLSearchParams({ 'list-type': '2', prefix });
        if (after !== undefined) query.set('start-after', after);
        if (token !== undefined) query.set('continuation-token', token);
        const response = await call(`list ${prefix}`, `?${query}`, {}, [200]);
        const page = readListing(await response.text());
        yield* page.objects;
        token = page.next;
      } while (token !== undefined);
    },
    async get(key) {
      const response = await call(`read ${key}`, pathOf(key), {}, [200, 404]);
      return response.status === 404 ? undefined : new Uint8Array(await response.arrayBuffer());
    },
    async create(key, body) {
      const init = { method: 'PUT', body, headers: { 'if-none-match': '*' } };
      const response = await call(`create ${key}`, pathOf(key), init, [200, 412]);
      return response.status === 200;
    },
    async delete(key) {
      await call(`delete ${key}`, pathOf(key), { method: 'DELETE' }, [200, 204, 404]);
    },
  };
}

/** The path of a key. Every character but the slash is encoded, as the signature expects (AWS Signature Version 4). */
function pathOf(key: string): string {
  return `/${key.split('/').map(encodeURIComponent).join('/')}`;
}

const xml = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'Contents' });

interface Listing {
  readonly ListBucketResult?: {
    readonly Contents?: readonly { Key: string; Size: string; LastModified: string }[];
    readonly IsTruncated?: string;
    readonly NextContinuationToken?: string;
  };
}

function readListing(text: string): { objects: StoredObject[]; next: string | undefined } {
  const { ListBucketResult: result } = xml.parse(text) as Listing;
  if (result === undefined)
    throw new Error('Cannot read the listing: the bucket did not answer with a ListBucketResult');
  const objects = (result.Contents ?? []).map(({ Key, Size, LastModified }) => ({
    key: Key,
    bytes: Number(Size),
    modified: new Date(LastModified),
  }));
  return { objects, next: result.IsTruncated === 'true' ? result.NextContinuationToken : undefined };
}

function readError(text: string): { code: string; message: string } {
  if (!text.trimStart().startsWith('<')) return { code: '', message: text.slice(0, 200) };
  const { Error: error } = xml.parse(text) as { Error?: { Code?: string; Message?: string } };
  return { code: error?.Code ?? '', message: error?.Message ?? '' };
}
