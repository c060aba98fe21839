/** Sending a refused body to the endpoint. */

import { setTimeout as sleep } from 'node:timers/promises';
import pThrottle from 'p-throttle';
import type { Rejection } from '../../storage/rejection.ts';
import { retryDelayMs } from '../backoff.ts';
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
  /** The most requests a second. */
  readonly rate: number;
  /** Ends waiting; a request that was sent is not given up, so that its answer is known. */
  readonly signal: AbortSignal;
  /** How long a request may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** How often a service that says 429 or 503 is asked again, after the time it names. */
const MAX_TRIES = 5;

/**
 * Prepares sending. The returned function throws when the token is refused, or when the service cannot be reached or
 * stays unavailable.
 */
export function createPost({ endpoint, token, rate, signal, timeoutMs }: PostOptions): Post {
  const throttled = pThrottle({ limit: rate, interval: 1_000, signal })(postWithTimeout);
  return async (rejection, purpose) => {
    const url = purpose === 'check' ? `${endpoint}?check` : endpoint;
    const headers = headersOf(rejection, token);
    for (let tries = 1; ; tries += 1) {
      const response = await throttled(url, headers, bytesOf(rejection), timeoutMs).catch((cause: unknown) => {
        signal.throwIfAborted();
        throw new Error(
          `Cannot replay to ${endpoint}: it does not answer; check the address, then run the command again, it goes on from here`,
          { cause },
        );
      });
      const { status } = response;
      const answer = await readServiceAnswer(response);
      if (status === 401) {
        throw new Error(`Cannot replay to ${endpoint}: it refuses the token; set API_TOKEN to a token of the sender`);
      }
      if (status !== 429 && status < 500) return { status, ...answer };
      if (tries === MAX_TRIES) {
        throw new Error(
          `Cannot replay to ${endpoint}: it answered ${status} ${MAX_TRIES} times; run the command again later, it goes on from here`,
        );
      }
      const delayMs = retryDelayMs(tries, response.headers.get('Retry-After'), new Date(), Math.random());
      await sleep(delayMs, undefined, { signal });
    }
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
