/** Sends signed requests to the S3 API of a bucket and retries where that can help. */

import { AwsClient } from 'aws4fetch';
import { type AttemptResult, retrying } from '../backoff.ts';
import { isNobodyThere } from '../post-with-timeout.ts';
import { readError } from './xml.ts';

/** The address and the access key of a bucket. */
export interface StoreLocation {
  /** The URL of the bucket itself, without a trailing slash. */
  readonly url: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Attempts at a request, over some eight seconds. */
const MAX_TRIES = 5;

interface BucketRequest {
  /** What the request does, for errors, such as `read KEY`. */
  readonly purpose: string;
  readonly method?: 'GET' | 'PUT' | 'DELETE';
  /** Appended to the URL of the bucket. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Other statuses are errors. */
  readonly expected: readonly number[];
}

/**
 * Creates a function that sends a request and reads the answer to its end. It throws when the bucket does not answer, or
 * answers with another status; the message says what to do.
 *
 * Retries after 429 and 5xx, as R2 asks for. After a broken connection only GET is retried: the outcome of a write is
 * unknown.
 *
 * @param signal - Aborts the current request and all later ones.
 */
export function requestsTo({ url, accessKeyId, secretAccessKey }: StoreLocation, signal: AbortSignal) {
  const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'auto' });

  async function send({ method = 'GET', path, headers = {}, body }: BucketRequest): Promise<Response> {
    const signed = await client.sign(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) });
    // Not signed, since proxies change it. A compressed answer would have another ETag (RFC 9110 section 8.8.3.3).
    signed.headers.set('accept-encoding', 'identity');
    return fetch(signed, { signal });
  }

  async function attempt(request: BucketRequest): Promise<AttemptResult<Response>> {
    const { method = 'GET', expected } = request;
    try {
      const response = await send(request);
      const { status } = response;
      if (expected.includes(status)) return { value: await whole(response) };
      const { code, message } = readError(await response.text());
      const said = [status, code, message.replace(/\.$/, '')].filter(Boolean).join(' ');
      const why = `the bucket at ${url} answers ${said}${remedyFor(status)}`;
      return { why, isFinal: status < 500 && status !== 429, retryAfter: response.headers.get('retry-after') };
    } catch (cause) {
      signal.throwIfAborted();
      const why = `the bucket at ${url} does not answer; check its address (locally: that npm start runs)`;
      return { why, cause, isFinal: method !== 'GET' || isNobodyThere(cause) };
    }
  }

  return (request: BucketRequest): Promise<Response> => {
    const say = (why: string) => `Cannot ${request.purpose}: ${why}`;
    return retrying(() => attempt(request), { attempts: MAX_TRIES, signal, say });
  };
}

/** What to do about a status that no other attempt changes. */
function remedyFor(status: number): string {
  if (status === 404) return '; see that R2_URL is right and ends in the name of the bucket';
  if (status !== 401 && status !== 403) return '';
  return '; see that R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY are those of a token that may do this in this bucket';
}

async function whole(response: Response): Promise<Response> {
  const bytes = await response.arrayBuffer();
  // A 204 must have no body, not even an empty one (Fetch Standard, null body status).
  return new Response(bytes.byteLength === 0 ? null : bytes, response);
}
