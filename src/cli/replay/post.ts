/** Posts a refused body to the endpoint. */

import pThrottle from 'p-throttle';
import type { Rejection } from '../../storage/rejection.ts';
import { type AttemptResult, retrying } from '../backoff.ts';
import { postWithTimeout } from '../post-with-timeout.ts';
import { readServiceAnswer } from '../service-answer.ts';

/** Posts a body, or only checks whether it would be accepted, which stores nothing. */
export type Post = ReturnType<typeof createPost>;

/** Keeps a replay from crowding out the senders. */
const REQUESTS_PER_SECOND = 20;

/** Attempts while the service answers 429 or 5xx, each after the time it asks for. */
const MAX_TRIES = 5;

/**
 * Prepares posting. The result throws when the token is refused, or the service is unreachable or unavailable.
 *
 * @param signal - Stops waiting. A request in flight is not aborted, so that its answer is known.
 * @param timeoutMs - Timeout of a request.
 */
export function createPost(endpoint: string, token: string, signal: AbortSignal, timeoutMs?: number) {
  const throttled = pThrottle({ limit: REQUESTS_PER_SECOND, interval: 1_000, signal })(postWithTimeout);
  const cannot = `Cannot replay to ${endpoint}`;
  return async (rejection: Rejection, purpose: 'send' | 'check') => {
    const url = purpose === 'check' ? `${endpoint}?check` : endpoint;
    const attempt = async (): Promise<AttemptResult<Response>> => {
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
      say: (why) => `${cannot}: ${why}; run the command again later to continue from here`,
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
    // The event happened when the body first came, not when it is replayed; UpdatedUtc in the body takes precedence.
    'ce-time': rejection.rejected_at,
    ...(rejection.idempotency_key !== null && { 'Idempotency-Key': rejection.idempotency_key }),
  };
}

function bytesOf({ body, body_encoding: encoding }: Rejection): Uint8Array<ArrayBuffer> {
  return encoding === 'text' ? new TextEncoder().encode(body) : new Uint8Array(Buffer.from(body, 'base64'));
}
