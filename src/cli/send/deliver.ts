/** One event, until the service has said yes or no. */

import { setTimeout as sleep } from 'node:timers/promises';
import { retryDelayMs } from '../backoff.ts';
import { postWithTimeout } from '../post-with-timeout.ts';
import { readServiceAnswer, type ServiceAnswer } from '../service-answer.ts';
import type { Outgoing } from './outgoing.ts';

/** After these attempts the service is taken to be out of order; the next run goes on. */
const MAX_ATTEMPTS = 10;

/** How a delivery ended. */
export interface Delivered extends ServiceAnswer {
  /** `checked`: it would have been accepted, and nothing was stored. */
  readonly outcome: 'accepted' | 'checked' | 'refused';
  readonly status: number;
  readonly attempts: number;
}

/** Where to send. */
export interface SendTarget {
  readonly url: URL;
  readonly token: string;
  /** Ends waiting. A request that was sent is not given up, so that its answer is known. */
  readonly signal: AbortSignal;
}

/**
 * Sends an event, as often as it takes: again on 429, on 5xx and when no answer comes.
 *
 * @param onWait - Told before each wait for a further attempt, with the reason.
 * @throws When the token or the address is wrong, when the service stays out of order, and when the signal says so.
 */
export async function deliver(
  { body, key }: Outgoing,
  { url, token, signal }: SendTarget,
  onWait: (why: string) => void,
): Promise<Delivered> {
  for (let attempts = 1; ; attempts += 1) {
    signal.throwIfAborted();
    const answer = await post(url, token, key, body);
    if (answer instanceof Response) {
      const { status } = answer;
      const delivered = { status, attempts, ...(await readServiceAnswer(answer)) };
      if (delivered.eventId !== '') return { outcome: 'accepted', ...delivered };
      if (delivered.isCheck) return { outcome: 'checked', ...delivered };
      if (hopeless(status) !== undefined) {
        throw new Error(`Cannot send to ${url.origin}: it answers ${status}; ${hopeless(status)}`);
      }
      if (status < 500 && status !== 429 && status !== 408) return { outcome: 'refused', ...delivered };
    }
    const last = answer instanceof Response ? `answered ${answer.status}` : 'did not answer';
    if (attempts === MAX_ATTEMPTS) {
      throw new Error(
        `Cannot send to ${url.origin}: it ${last} ${MAX_ATTEMPTS} times; see that the service runs there, then run the command again, it goes on from here`,
      );
    }
    onWait(`${url.host} ${last}, trying again`);
    const retryAfter = answer instanceof Response ? answer.headers.get('Retry-After') : null;
    await sleep(retryDelayMs(attempts, retryAfter, new Date(), Math.random()), undefined, { signal });
  }
}

/** What to do about a status with which no other event would fare better: the token or the address is wrong. */
function hopeless(status: number): string | undefined {
  if (status === 401) return 'set API_TOKEN to a token of that service';
  // A success without an event_id is no answer of the service.
  const isElsewhere = status < 400 || status === 404 || status === 405;
  return isElsewhere ? 'give the whole address of the endpoint with --url' : undefined;
}

/** An answer, or what was thrown instead of one. */
async function post(url: URL, token: string, key: string, body: string): Promise<Response | Error> {
  const headers = { Authentication: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key };
  try {
    return await postWithTimeout(url, headers, body);
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}
