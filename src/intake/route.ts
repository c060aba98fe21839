/** What is answered at which address. */

import type { IRequestStrict } from 'itty-router';
import { IttyRouter } from 'itty-router/IttyRouter';
import { byPath } from '../by-path.ts';
import { type Env, loadConfig } from '../config.ts';
import { ENDPOINT_PATH } from '../contract/endpoint.ts';
import { logError } from '../log.ts';
import { answer } from './answer.ts';
import type { Background } from './make-durable.ts';
import { type Outcome, refuse } from './outcome.ts';
import { receive } from './receive.ts';
import { report } from './report.ts';

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
  const response = answer(outcome, requestId, request.url);
  report(env, request.method, requestId, outcome, response.status, Date.now() - started);
  return response;
}

async function outcomeOf(request: Request, env: Env, background: Background): Promise<Outcome> {
  try {
    return await router.fetch(byPath(request), env, background);
  } catch (error) {
    logError('request_broken', error);
    return refuse({ reason: 'broken' });
  }
}
