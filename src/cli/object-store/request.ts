/** Signed requests to the S3 API of a bucket, tried again where that can help. */

import { AwsClient } from 'aws4fetch';
import { type Attempt, retrying } from '../backoff.ts';
import { isNobodyThere } from '../post-with-timeout.ts';
import { readError } from './xml.ts';

/** Where a bucket answers, and with which key. */
export interface StoreLocation {
  /** The address of the bucket itself, without a slash at the end. */
  readonly url: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** How often a request is tried before its failure is final: within some eight seconds. */
const MAX_TRIES = 5;

interface BucketRequest {
  /** What it is for, for errors: `read KEY`. */
  readonly purpose: string;
  readonly method?: 'GET' | 'PUT' | 'DELETE';
  /** What follows the address of the bucket. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Other statuses are errors. */
  readonly expected: readonly number[];
}

/** Sends a request and reads the answer to its end. @throws When the bucket does not answer, or with another status; the message says what to do. */
export type SendRequest = (request: BucketRequest) => Promise<Response>;

/**
 * Prepares to send requests.
 *
 * Answers of 429 and 5xx are waited out (R2 asks for it). A connection that breaks is tried again for GET alone: what
 * became of a write cannot be known.
 *
 * @param signal - Ends the request under way and all later ones.
 */
export function requestsTo({ url, accessKeyId, secretAccessKey }: StoreLocation, signal: AbortSignal): SendRequest {
  const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'auto' });

  async function send({ method = 'GET', path, headers = {}, body }: BucketRequest): Promise<Response> {
    const signed = await client.sign(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) });
    // Unsigned, since proxies change it. The ETag of a compressed answer is another one (RFC 9110 section 8.8.3.3).
    signed.headers.set('accept-encoding', 'identity');
    return fetch(signed, { signal });
  }

  async function attempt(request: BucketRequest): Promise<Attempt<Response>> {
    const { method = 'GET', expected } = request;
    try {
      const response = await send(request);
      const { status } = response;
      if (expected.includes(status)) return { value: await whole(response) };
      const { code, message } = readError(await response.text());
      const why = `the bucket at ${url} answers ${status} ${code}. ${message}`;
      return { why, isFinal: status < 500 && status !== 429, retryAfter: response.headers.get('retry-after') };
    } catch (cause) {
      signal.throwIfAborted();
      const why = `the bucket at ${url} does not answer; see that its address is right (locally: that npm start runs)`;
      return { why, cause, isFinal: method !== 'GET' || isNobodyThere(cause) };
    }
  }

  return (request) => {
    const fail = (why: string, cause: unknown) => new Error(`Cannot ${request.purpose}: ${why}`, { cause });
    return retrying(() => attempt(request), { attempts: MAX_TRIES, signal, fail });
  };
}

async function whole(response: Response): Promise<Response> {
  const bytes = await response.arrayBuffer();
  // A 204 takes no body, not even an empty one (Fetch Standard, null body status).
  return new Response(bytes.byteLength === 0 ? null : bytes, response);
}
