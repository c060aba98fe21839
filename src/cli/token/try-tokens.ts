/** Tries a token against a service. Nothing is stored: the event is empty, and only checked. */

import { ENDPOINT_PATH } from '../../contract/endpoint.ts';
import { type AttemptResult, retrying } from '../backoff.ts';
import { isNetworkError, postWithTimeout } from '../post-with-timeout.ts';

/** The status codes for an empty event that show whether the token is accepted or refused; other codes show neither. */
const ANSWERS: Readonly<Record<'accepted' | 'refused', readonly number[]>> = {
  accepted: [200, 403, 422],
  refused: [401],
};

/** Consecutive answers that are needed, since a deployment reaches the machines one after another. */
const TIMES_IN_A_ROW = 3;

/** One try per second for a minute. A deployment is everywhere within seconds. */
const TRIES = 60;
const PAUSE_MS = 1_000;

/** Timeout of one answer, in milliseconds. */
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Waits until a token is accepted, or refused.
 *
 * @param origin - Scheme and host of the service.
 * @throws After a minute, saying what the service answers instead.
 */
export async function waitUntil(
  wanted: keyof typeof ANSWERS,
  token: string,
  origin: string,
  signal: AbortSignal,
  everyMs = PAUSE_MS,
): Promise<void> {
  let inARow = 0;
  const attempt = async (): Promise<AttemptResult<true>> => {
    const status = await askOnce(token, origin);
    inARow = ANSWERS[wanted].includes(status ?? 0) ? inARow + 1 : 0;
    if (inARow === TIMES_IN_A_ROW) return { value: true };
    return { why: status === undefined ? 'does not answer' : `answers ${status}` };
  };
  const what = wanted === 'accepted' ? 'The new token does not work' : 'The revoked token is not refused';
  const say = (why: string) =>
    `${what}: after ${TRIES} tries ${origin} ${why}; see /readyz and npx wrangler deployments status`;
  await retrying(attempt, { attempts: TRIES, everyMs, signal, say });
}

/** The status code for an empty event; undefined if no answer comes. */
async function askOnce(token: string, origin: string): Promise<number | undefined> {
  const headers = { Authentication: `Bearer ${token}`, 'Content-Type': 'application/json' };
  try {
    return (await postWithTimeout(`${origin}${ENDPOINT_PATH}?check`, headers, '{}', ANSWER_TIMEOUT_MS)).status;
  } catch (error) {
    if (isNetworkError(error)) return undefined;
    throw error;
  }
}
