/** What is answered at which address, and one log line for each request. */

import { type IRequestStrict, IttyRouter } from 'itty-router';
import { type Env, loadConfig } from '../config.ts';
import { log, logError } from '../log.ts';
import { answer } from './answer.ts';
import { ENDPOINT_PATH } from './limits.ts';
import type { Background, DurablePath } from './make-durable.ts';
import { type Outcome, refuse } from './outcome.ts';
import { receive } from './receive.ts';

// The router also takes one trailing slash for the same address.
const router = IttyRouter<IRequestStrict, [Env, Background], Promise<Outcome> | Outcome>()
  .post(ENDPOINT_PATH, async (request, env, background) => receive(request, await loadConfig(env), background))
  .options(ENDPOINT_PATH, () => ({ kind: 'options' }))
  .all(ENDPOINT_PATH, () => refuse({ reason: 'method_not_allowed' }))
  .all('*', () => refuse({ reason: 'not_found' }));

/** Answers a request. Whatever happens, the answer is one of ours. */
export async function intake(request: Request, env: Env, background: Background): Promise<Response> {
  const started = Date.now();
  const requestId = crypto.randomUUID();
  const outcome = await outcomeOf(request, env, background);
  const response = answer(outcome, requestId, new URL(request.url).origin);
  log('request', {
    request_id: requestId,
    method: request.method,
    status: response.status,
    reason: outcome.kind === 'refused' ? outcome.refusal.reason : undefined,
    sender: 'sender' in outcome ? outcome.sender : undefined,
    event_id: outcome.kind === 'accepted' ? outcome.accepted.eventId : undefined,
    rejection_id: outcome.kind === 'refused' ? outcome.kept?.rejectionId : undefined,
    path: pathOf(outcome),
    duration_ms: Date.now() - started,
  });
  return response;
}

async function outcomeOf(request: Request, env: Env, background: Background): Promise<Outcome> {
  try {
    return await router.fetch(request, env, background);
  } catch (error) {
    logError('request_broken', error);
    return refuse({ reason: 'broken' });
  }
}

/** The store that has what was sent. */
function pathOf(outcome: Outcome): DurablePath | undefined {
  switch (outcome.kind) {
    case 'options':
    case 'checked':
      return undefined;
    case 'accepted':
      return outcome.path;
    case 'refused':
      return outcome.kept?.path;
  }
}
