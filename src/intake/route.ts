/** What is answered at the endpoint, and at every address where nothing is. */

import { type Env, loadConfig } from '../config.ts';
import { logError } from '../telemetry/log.ts';
import { answer } from './answer.ts';
import type { Background } from './make-durable.ts';
import { type Outcome, refuse } from './outcome.ts';
import { postEvent } from './post-event.ts';
import { reportRequest } from './report-request.ts';

/** Answers a request to the endpoint. Whatever happens, the answer is one of ours. */
export function endpoint(request: Request, env: Env, background: Background): Promise<Response> {
  return respondTo(request, env, () => byMethod(request, env, background));
}

/** Answers a request to any other address, likewise. */
export function notFound(request: Request, env: Env): Promise<Response> {
  return respondTo(request, env, () => refuse({ reason: 'not_found' }));
}

async function respondTo(request: Request, env: Env, handle: () => Outcome | Promise<Outcome>): Promise<Response> {
  const started = Date.now();
  const requestId = crypto.randomUUID();
  const outcome = await outcomeOf(handle);
  const response = answer(outcome, requestId);
  reportRequest(env, request.method, requestId, outcome, response.status, Date.now() - started);
  return response;
}

async function outcomeOf(handle: () => Outcome | Promise<Outcome>): Promise<Outcome> {
  try {
    return await handle();
  } catch (error) {
    logError('request_broken', error);
    return refuse({ reason: 'broken' });
  }
}

async function byMethod(request: Request, env: Env, background: Background): Promise<Outcome> {
  switch (request.method) {
    case 'POST':
      return postEvent(request, await loadConfig(env), background);
    case 'OPTIONS':
      return { kind: 'options' };
    default:
      return refuse({ reason: 'method_not_allowed' });
  }
}
