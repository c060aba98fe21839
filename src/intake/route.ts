/** Answers requests to the endpoint, to the batch endpoint, and to addresses where nothing is. */

import { type Env, loadConfig } from '../config.ts';
import { logError } from '../telemetry/log.ts';
import { answer } from './answer.ts';
import { postBatch } from './batch/post-batch.ts';
import type { Background } from './make-durable.ts';
import { type Outcome, refuse } from './outcome.ts';
import { postEvent } from './post-event.ts';
import type { Refused } from './problem.ts';
import { report } from './report.ts';
import { refuseWithoutTls } from './without-tls.ts';

/** Answers a request to the endpoint. Whatever happens, the answer has the form that the contract promises. */
export function endpoint(request: Request, env: Env, background: Background): Promise<Response> {
  return respondTo(request, env, background, postEvent);
}

/** Answers a request to the batch endpoint, in the same form. */
export function batchEndpoint(request: Request, env: Env, background: Background): Promise<Response> {
  return respondTo(request, env, background, postBatch, 'batch');
}

/** Answers a request to any other address, in the same form. */
export async function notFound(request: Request, env: Env): Promise<Response> {
  return conclude(refuse({ reason: 'not_found' }), request, env, Date.now());
}

/** Answers a request without TLS, to any address and with any method. */
export async function withoutTls(request: Request, env: Env, background: Background): Promise<Response> {
  const started = Date.now();
  const config = await loadConfig(env).catch((error: unknown) => logError('request_broken', error));
  const outcome = config ? await refuseWithoutTls(request, config, background) : refuse({ reason: 'without_tls' });
  return conclude(outcome, request, env, started);
}

type Post = typeof postEvent;

async function respondTo(
  request: Request,
  env: Env,
  background: Background,
  post: Post,
  about?: Refused,
): Promise<Response> {
  const started = Date.now();
  try {
    return conclude(await byMethod(request, env, background, post), request, env, started, about);
  } catch (error) {
    logError('request_broken', error);
    return conclude(refuse({ reason: 'broken' }), request, env, started);
  }
}

async function byMethod(request: Request, env: Env, background: Background, post: Post): Promise<Outcome> {
  switch (request.method) {
    case 'POST':
      return post(request, await loadConfig(env), background);
    case 'OPTIONS':
      return { kind: 'options' };
    default:
      return refuse({ reason: 'method_not_allowed' });
  }
}

function conclude(outcome: Outcome, request: Request, env: Env, started: number, about?: Refused): Response {
  // An accepted event is identified by its event_id and needs no separate request id.
  const requestId = outcome.kind === 'accepted' ? outcome.event.eventId : crypto.randomUUID();
  const response = answer(outcome, requestId, about);
  report(env, request.method, requestId, outcome, response.status, Date.now() - started);
  return response;
}
