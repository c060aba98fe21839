/** Events, until the service has said yes or no. */

import { setTimeout as sleep } from 'node:timers/promises';
import { retryDelayMs } from '../backoff.ts';
import { postWithTimeout } from '../post-with-timeout.ts';
import { readBatchAnswer, readServiceAnswer, type ServiceAnswer } from '../service-answer.ts';
import { batchOf, batchUrlOf } from './batch.ts';
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

export interface SendTarget {
  readonly url: URL;
  readonly token: string;
  /** Ends waiting. A request that was sent is not given up, so that its answer is known. */
  readonly signal: AbortSignal;
}

/** Told before each wait for a further attempt, with the reason. */
type OnWait = (why: string) => void;

/**
 * Sends an event, as often as it takes: again on 429, on 5xx and when no answer comes.
 *
 * @throws When the token or the address is wrong, when the service stays out of order, and when the signal says so.
 */
export async function deliver({ body, key }: Outgoing, target: SendTarget, onWait: OnWait): Promise<Delivered> {
  const { url, token } = target;
  const headers = { Authentication: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key };
  const { answer, attempts } = await postUntilAnswered(url, headers, body, target, onWait);
  const { status } = answer;
  const delivered = { status, attempts, ...(await readServiceAnswer(answer)) };
  if (delivered.eventId !== '') return { outcome: 'accepted', ...delivered };
  if (delivered.isCheck) return { outcome: 'checked', ...delivered };
  if (hopeless(status) !== undefined) {
    throw new Error(`Cannot send to ${url.origin}: it answers ${status}; ${hopeless(status)}`);
  }
  return { outcome: 'refused', ...delivered };
}

/**
 * Sends events in one request, as often as it takes. Those that it leaves without an answer of their own are sent one
 * at a time: what a service refuses as a whole, it may take in parts.
 *
 * @param settle - Told of each event as soon as its answer is known.
 * @throws As {@link deliver} does.
 */
export async function deliverBatch(
  events: readonly Outgoing[],
  target: SendTarget,
  onWait: OnWait,
  settle: (event: Outgoing, delivered: Delivered) => Promise<void>,
): Promise<void> {
  const headers = { Authentication: `Bearer ${target.token}`, 'Content-Type': 'application/x-ndjson' };
  const url = batchUrlOf(target.url);
  const { answer, attempts } = await postUntilAnswered(url, headers, batchOf(events), target, onWait);
  const results = await readBatchAnswer(answer, events.length);
  const left: Outgoing[] = [];
  for (const [at, event] of events.entries()) {
    const result = results[at];
    if (result === undefined || isWorthRepeating(result.status)) left.push(event);
    else await settle(event, { outcome: outcomeOf(result), attempts, ...result });
  }
  for (const event of left) await settle(event, await deliver(event, target, onWait));
}

function outcomeOf({ eventId, isCheck }: ServiceAnswer): Delivered['outcome'] {
  if (eventId !== '') return 'accepted';
  return isCheck ? 'checked' : 'refused';
}

/** Posts again and again until the answer is one that another attempt would not change. */
async function postUntilAnswered(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  { signal }: SendTarget,
  onWait: OnWait,
): Promise<{ answer: Response; attempts: number }> {
  for (let attempts = 1; ; attempts += 1) {
    signal.throwIfAborted();
    const answer = await post(url, headers, body);
    if (answer instanceof Response && !isWorthRepeating(answer.status)) return { answer, attempts };
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

function isWorthRepeating(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

/** What to do about a status with which no other event would fare better: the token or the address is wrong. */
function hopeless(status: number): string | undefined {
  if (status === 401) return 'set API_TOKEN to a token of that service';
  // A success without an event_id is no answer of the service.
  const isElsewhere = status < 400 || status === 404 || status === 405;
  return isElsewhere ? 'give the whole address of the endpoint with --url' : undefined;
}

/** An answer, or what was thrown instead of one. */
async function post(url: URL, headers: Readonly<Record<string, string>>, body: string): Promise<Response | Error> {
  try {
    return await postWithTimeout(url, headers, body);
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}
