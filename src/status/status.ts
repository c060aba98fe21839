/** `GET /status.json`: what was accepted and refused in the last 24 hours, for the holder of a token. */

import { type Env, loadConfig } from '../config.ts';
import { isOverRate } from '../http/rate-limit.ts';
import { respond, respondWithProblem } from '../http/respond.ts';
import { answer } from '../intake/answer.ts';
import { refuse } from '../intake/outcome.ts';
import { authorize } from '../senders/authenticate.ts';
import { log, logError } from '../telemetry/log.ts';
import { gatherStatus } from './gather-status.ts';

/** Answers with the status. Does not throw: an exception becomes a problem. */
export async function statusJson(request: Request, env: Env): Promise<Response> {
  const requestId = crypto.randomUUID();
  const response = await answerStatus(request, env, requestId).catch((error: unknown) => {
    logError('status_broken', error, { request_id: requestId });
    return answer(refuse({ reason: 'broken' }), requestId);
  });
  const { status } = response;
  if (status !== 200) log('status', { request_id: requestId, method: request.method, status });
  return response;
}

async function answerStatus({ method, headers }: Request, env: Env, requestId: string): Promise<Response> {
  if (method !== 'GET') {
    return respondWithProblem('method-not-allowed', 'Ask for the status with GET', requestId, { Allow: 'GET' });
  }
  const config = await loadConfig(env);
  const authenticated = await authorize(headers, config, ['sender', 'operator']);
  if (!authenticated.ok) return answer(refuse(authenticated.error), requestId);
  const sender = authenticated.value;
  if (await isOverRate(config.statusRate, sender.name)) {
    const detail = 'The status was asked for too often with this token; ask again in a minute';
    return respondWithProblem('too-many-requests', detail, requestId, { 'Retry-After': '60' });
  }
  const status = await gatherStatus(config, sender, env.VERSION, new Date());
  log('status', {
    request_id: requestId,
    method,
    status: 200,
    sender: sender.name,
    token: sender.tokenNumber,
    incomplete: status.incomplete.length,
  });
  return respond(200, 'application/json', status, requestId);
}
