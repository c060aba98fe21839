/** Sending a refused body to the endpoint. */

import { setTimeout as sleep } from 'node:timers/promises';
import pThrottle from 'p-throttle';
import * as v from 'valibot';
import type { Rejection } from '../../storage/rejection.ts';

/** Sends a body, or asks whether it would be taken, which stores nothing. */
export type Post = (rejection: Rejection, purpose: 'send' | 'check') => Promise<Answer>;

/** What the service said; `eventId` and `problem` are empty where they do not apply. */
interface Answer {
  readonly status: number;
  readonly eventId: string;
  readonly problem: string;
}

/** Where and how fast. */
export interface PostOptions {
  readonly endpoint: string;
  readonly token: string;
  /** The most requests a second. */
  readonly rate: number;
  /** Ends waiting; a request that was sent is not given up, so that its answer is known. */
  readonly signal: AbortSignal;
}

/** How often a service that says 429 or 503 is asked again, after the time it names. */
const MAX_TRIES = 5;
const DEFAULT_RETRY_AFTER_SECONDS = 30;

/**
 * Prepares sending. The returned function throws when the token is refused, or when the service cannot be reached or
 * stays unavailable.
 */
export function createPost({ endpoint, token, rate, signal }: PostOptions): Post {
  const throttled = pThrottle({ limit: rate, interval: 1_000, signal })(fetch);
  return async (rejection, purpose) => {
    const url = purpose === 'check' ? `${endpoint}?check` : endpoint;
    const init = { method: 'POST', headers: headersOf(rejection, token), body: bytesOf(rejection) };
    for (let tries = 1; ; tries += 1) {
      const response = await throttled(url, init).catch((cause: unknown) => {
        throw new Error(`Cannot replay to ${endpoint}: it does not answer; check the address`, { cause });
      });
      const answer = await readAnswer(response);
      if (response.status === 401) {
        throw new Error(`Cannot replay to ${endpoint}: it refuses the token; set API_TOKEN to a token of the sender`);
      }
      if (response.status !== 429 && response.status < 500) return answer;
      if (tries === MAX_TRIES) {
        throw new Error(
          `Cannot replay to ${endpoint}: it answered ${response.status} ${MAX_TRIES} times; run the command again later, it goes on from here`,
        );
      }
      const seconds = Number(response.headers.get('Retry-After')) || DEFAULT_RETRY_AFTER_SECONDS;
      await sleep(seconds * 1_000, undefined, { signal });
    }
  };
}

function headersOf(rejection: Rejection, token: string): Record<string, string> {
  return {
    Authentication: `Bearer ${token}`,
    ...(rejection.content_type !== null && { 'Content-Type': rejection.content_type }),
    ...(rejection.content_encoding !== null && { 'Content-Encoding': rejection.content_encoding }),
    ...(rejection.idempotency_key !== null && { 'Idempotency-Key': rejection.idempotency_key }),
  };
}

function bytesOf({ body, body_encoding: encoding }: Rejection): Uint8Array<ArrayBuffer> {
  return encoding === 'text' ? new TextEncoder().encode(body) : new Uint8Array(Buffer.from(body, 'base64'));
}

const AnswerSchema = v.object({
  response: v.optional(v.object({ event_id: v.optional(v.string(), '') }), {}),
  type: v.optional(v.string(), ''),
});

async function readAnswer(response: Response): Promise<Answer> {
  const parsed = v.safeParse(AnswerSchema, await response.json().catch(() => ({})));
  const { response: accepted, type } = parsed.success ? parsed.output : { response: {}, type: '' };
  return {
    status: response.status,
    eventId: accepted.event_id ?? '',
    problem: type.split('/').at(-1) ?? '',
  };
}
