/** What is answered at which address, and one log line for each request. */

import { type IRequestStrict, IttyRouter } from 'itty-router';
import { type Env, loadConfig } from '../config.ts';
import { log, logError } from '../log.ts';
import { answer } from './answer.ts';
import { ENDPOINT_PATH } from './limits.ts';
import { type Outcome, refuse } from './outcome.ts';
import { receive } from './receive.ts';

// The router also takes one trailing slash for the same address.
const router = IttyRouter<IRequestStrict, [Env], Promise<Outcome> | Outcome>()
  .post(ENDPOINT_PATH, async (request, env) => receive(request, await loadConfig(env)))
  .options(ENDPOINT_PATH, () => ({ kind: 'options' }))
  .all(ENDPOINT_PATH, () => refuse({ reason: 'method_not_allowed' }))
  .all('*', () => refuse({ reason: 'not_found' }));

/** Answers a request. Whatever happens, the answer is one of ours. */
export async function intake(request: Request, env: Env): Promise<Response> {
  const started = Date.now();
  const requestId = crypto.randomUUID();
  const outcome = await outcomeOf(request, env);
  const response = answer(outcome, requestId, new URL(request.url).origin);
  log('request', {
    request_id: requestId,
    method: request.method,
    status: response.status,
    reason: outcome.kind === 'refused' ? outcome.refusal.reason : undefined,
    sender: 'sender' in outcome ? outcome.sender : undefined,
    event_id: outcome.kind === 'accepted' ? outcome.accepted.eventId : undefined,
    duration_ms: Date.now() - started,
  });
  return response;
}

async function outcomeOf(request: Request, env: Env): Promise<Outcome> {
  try {
    return await router.fetch(request, env);
  } catch (error) {
    logError('request_broken', error);
    return refuse({ reason: 'broken' });
  }
}
