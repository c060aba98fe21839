/** Asking a service whether a token works. Nothing is stored: the event is empty, and only checked. */

import { ENDPOINT_PATH } from '../../contract/endpoint.ts';

/** What a service says to a token. */
type Verdict = 'accepted' | 'refused' | 'closed' | 'unclear';

/** How often in a row the service has to say so, since a deployment reaches its machines one after another. */
const TIMES_IN_A_ROW = 3;

/** How long to wait for that: a minute, asking each second. A deployment is everywhere within seconds. */
const TRIES = 60;
const PAUSE_MS = 1_000;

/** How long to wait for one answer, in milliseconds. */
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Waits until a token is accepted, or refused.
 *
 * @param origin - Scheme and host of the service.
 * @param sleep - Waits, in milliseconds.
 * @throws When it is not so after a minute, saying what the service answers instead.
 */
export async function waitUntil(
  wanted: 'accepted' | 'refused',
  token: string,
  origin: string,
  sleep: (ms: number) => Promise<unknown>,
): Promise<void> {
  let inARow = 0;
  let last = '';
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (tries > 0) await sleep(PAUSE_MS);
    const { verdict, said } = await askOnce(token, origin);
    inARow = verdict === wanted ? inARow + 1 : 0;
    if (inARow === TIMES_IN_A_ROW) return;
    last = said;
  }
  const what = wanted === 'accepted' ? 'The new token does not work' : 'The revoked token is not refused';
  throw new Error(`${what}: after ${TRIES} tries ${origin} ${last}; see /readyz and npx wrangler deployments status`);
}

async function askOnce(token: string, origin: string): Promise<{ verdict: Verdict; said: string }> {
  try {
    const response = await fetch(`${origin}${ENDPOINT_PATH}?check`, {
      method: 'POST',
      headers: { Authentication: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: '{}',
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    return { verdict: verdictOf(response.status), said: `answers ${response.status}` };
  } catch {
    return { verdict: 'unclear', said: 'does not answer' };
  }
}

/** An empty event is refused with 422, or with 403, once the token is known; what comes before says nothing of it. */
function verdictOf(status: number): Verdict {
  if (status === 422 || status === 403 || status === 200) return 'accepted';
  if (status === 401) return 'refused';
  return status === 503 ? 'closed' : 'unclear';
}
