/** Sends events until the service has accepted or refused them. */

import { type AttemptResult, retrying } from '../backoff.ts';
import { isNetworkError, isNobodyThere, postWithTimeout } from '../post-with-timeout.ts';
import { readBatchAnswer, readServiceAnswer, type ServiceAnswer } from '../service-answer.ts';
import { batchLine, batchUrlOf } from './batch.ts';
import type { Outgoing } from './outgoing.ts';
import type { Pace } from './pace.ts';

/** After this many attempts the service counts as down; the next run continues. */
const MAX_ATTEMPTS = 10;

export interface Delivered extends ServiceAnswer {
  /** `checked`: it would have been accepted, and nothing was stored. */
  readonly outcome: 'accepted' | 'checked' | 'refused';
  readonly status: number;
}

export interface SendTarget {
  readonly url: URL;
  readonly token: string;
  /** Stops waiting. A request in flight is not aborted, so that its answer is known. */
  readonly signal: AbortSignal;
  readonly pace: Pace;
  /** Called before events are sent again, with the reason. */
  onAgain(events: number, why: string): void;
  /** Called with events that were sent without getting an answer: they may be stored. */
  onLost(events: readonly Outgoing[]): void;
}

/**
 * Sends an event, retrying on 408, 429, 5xx and when no answer comes.
 *
 * @throws When the token or the address is wrong, when the service stays down, and when the signal aborts.
 */
export async function deliver(event: Outgoing, target: SendTarget): Promise<Delivered> {
  const { body, key } = event;
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
  const answer = await post([event], target.url, headers, body, target);
  const delivered = { status: answer.status, ...(await readServiceAnswer(answer)) };
  const outcome = outcomeOf(delivered);
  const remedy = outcome === 'refused' ? remedyFor(answer.status) : undefined;
  if (remedy === undefined) return { outcome, ...delivered };
  throw new Error(`Cannot send to ${target.url.origin}: it answers ${answer.status}; ${remedy}`);
}

/**
 * Sends events in one request, with retries. Events without an individual answer are then sent one at a time: a service
 * that refuses a batch may accept single events, and a lost answer then concerns one event only.
 *
 * @param settle - Called for each event as soon as its answer is known.
 * @throws As {@link deliver} does.
 */
export async function deliverBatch(
  events: readonly Outgoing[],
  target: SendTarget,
  settle: (event: Outgoing, delivered: Delivered) => Promise<void>,
): Promise<void> {
  const url = batchUrlOf(target.url);
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const body = events.map(batchLine).join('');
  const results = await readBatchAnswer(await post(events, url, headers, body, target), events.length);
  const left: Outgoing[] = [];
  for (const [at, event] of events.entries()) {
    const result = results[at];
    if (result === undefined || isWorthRepeating(result.status)) left.push(event);
    else await settle(event, { outcome: outcomeOf(result), ...result });
  }
  if (left.length > 0) target.onAgain(left.length, 'sending the unanswered events one at a time');
  for (const event of left) {
    target.signal.throwIfAborted();
    await settle(event, await deliver(event, target));
  }
}

function outcomeOf({ eventId, isCheck }: ServiceAnswer): Delivered['outcome'] {
  if (eventId !== '') return 'accepted';
  return isCheck ? 'checked' : 'refused';
}

/** Posts events until there is an answer. When that of a batch is lost, it returns one without results. */
function post(
  events: readonly Outgoing[],
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  { token, signal, pace, onAgain, onLost }: SendTarget,
): Promise<Response> {
  const bytes = Buffer.byteLength(body);
  const lose = (why: string, cause?: unknown): AttemptResult<Response> => {
    pace.lost();
    onLost(events);
    return events.length > 1 ? { value: new Response() } : { why, cause };
  };
  const attempt = async (): Promise<AttemptResult<Response>> => {
    const started = performance.now();
    let answer: Response;
    try {
      const allHeaders = { Authentication: `Bearer ${token}`, ...headers };
      answer = await postWithTimeout(url, allHeaders, body, pace.timeoutMs(bytes));
    } catch (cause) {
      // A service that has answered in this run may come back.
      if (isNobodyThere(cause)) return { why: 'cannot be reached', cause, isFinal: !pace.hasAnswered };
      if (isNetworkError(cause)) return lose('did not answer', cause);
      throw cause;
    }
    const why = `answered ${answer.status}`;
    if (!isWorthRepeating(answer.status)) {
      pace.answered(bytes, performance.now() - started);
      return { value: answer };
    }
    // A problem comes from the service itself. Any other 5xx answer does not tell whether the service stored something.
    if (answer.status >= 500 && (await readServiceAnswer(answer.clone())).problem === '') return lose(why);
    return { why, retryAfter: answer.headers.get('Retry-After') };
  };
  return retrying(attempt, {
    attempts: MAX_ATTEMPTS,
    signal,
    onWait: (why) => onAgain(events.length, `${url.host} ${why}, trying again`),
    say: (why) =>
      `Cannot send to ${url.origin}: it ${why}; check that the service runs there, then run the command again to continue from here`,
  });
}

function isWorthRepeating(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

/** The remedy for a status that every other event would get too: the token or the address is wrong. */
function remedyFor(status: number): string | undefined {
  if (status === 401) return 'set API_TOKEN to a token of that service';
  // A success without an event_id does not come from the service.
  const isElsewhere = status < 400 || status === 404 || status === 405;
  return isElsewhere ? 'give the address of the service with --url' : undefined;
}
