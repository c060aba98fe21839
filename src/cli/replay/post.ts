/** Sending a refused body to the endpoint. */

import pThrottle from 'p-throttle';
import type { Rejection } from '../../storage/rejection.ts';
import { type Attempt, retrying } from '../backoff.ts';
import { postWithTimeout } from '../post-with-timeout.ts';
import { readServiceAnswer, type ServiceAnswer } from '../service-answer.ts';

/** Sends a body, or asks whether it would be taken, which stores nothing. */
export type Post = (
  rejection: Rejection,
  purpose: 'send' | 'check',
) => Promise<ServiceAnswer & { readonly status: number }>;

/** Where and how fast. */
export interface PostOptions {
  readonly endpoint: string;
  readonly token: string;
  /** Ends waiting; a request that was sent is not given up, so that its answer is known. */
  readonly signal: AbortSignal;
  /** How long a request may take, in milliseconds. */
  readonly timeoutMs?: number;
}

/** So that a replay leaves the service to its senders. */
const REQUESTS_PER_SECOND = 20;

/** How often a service that says 429 or 503 is asked again, after the time it names. */
const MAX_TRIES = 5;

/**
 * Prepares sending. The returned function throws when the token is refused, or when the service cannot be reached or
 * stays unavailable.
 */
export function createPost({ endpoint, token, signal, timeoutMs }: PostOptions): Post {
  const throttled = pThrottle({ limit: REQUESTS_PER_SECOND, interval: 1_000, signal })(postWithTimeout);
  const cannot = `Cannot replay to ${endpoint}`;
  return async (rejection, purpose) => {
    const url = purpose === 'check' ? `${endpoint}?check` : endpoint;
    const attempt = async (): Promise<Attempt<Response>> => {
      try {
        const response = await throttled(url, headersOf(rejection, token), bytesOf(rejection), timeoutMs);
        if (response.status !== 429 && response.status < 500) return { value: response };
        return { why: `it answered ${response.status}`, retryAfter: response.headers.get('Retry-After') };
      } catch (cause) {
        signal.throwIfAborted();
        return { why: 'it does not answer; check the address', cause, isFinal: true };
      }
    };
    const response = await retrying(attempt, {
      attempts: MAX_TRIES,
      signal,
      fail: (why, cause) =>
        new Error(`${cannot}: ${why}; run the command again later, it goes on from here`, { cause }),
    });
    if (response.status === 401) {
      throw new Error(`${cannot}: it refuses the token; set API_TOKEN to a token of the sender`);
    }
    return { status: response.status, ...(await readServiceAnswer(response)) };
  };
}

function headersOf(rejection: Rejection, token: string): Record<string, string> {
  return {
    Authentication: `Bearer ${token}`,
    ...(rejection.content_type !== null && { 'Content-Type': rejection.content_type }),
    ...(rejection.content_encoding !== null && { 'Content-Encoding': rejection.content_encoding }),
    // When it happened is when the body first came, not when it is replayed; UpdatedUtc in the body says it better.
    'ce-time': rejection.rejected_at,
    ...(rejection.idempotency_key !== null && { 'Idempotency-Key': rejection.idempotency_key }),
  };
}

function bytesOf({ body, body_encoding: encoding }: Rejection): Uint8Array<ArrayBuffer> {
  return encoding === 'text' ? new TextEncoder().encode(body) : new Uint8Array(Buffer.from(body, 'base64'));
}
