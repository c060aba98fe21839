/** `GET /healthz` and `GET /readyz`, for monitors and for people. */

import { type Env, loadConfig } from '../config.ts';
import { respond, respondWithProblem } from '../http/respond.ts';
import { log, logError } from '../telemetry/log.ts';
import { findings } from './checks.ts';

/** What is answered, and logged. */
interface Verdict {
  readonly status: 200 | 503;
  /** The checks that failed. */
  readonly failed: readonly string[];
  readonly body: object;
}

/** Says that the Worker runs, whatever state its stores are in. */
export function healthz(request: Request): Promise<Response> {
  return answerWith(request, '/healthz', () => ({ status: 200, failed: [], body: { status: 'alive' } }));
}

/** Says whether everything is in order, or what is not. */
export function readyz(request: Request, env: Env): Promise<Response> {
  return answerWith(request, '/readyz', () => readiness(env));
}

async function answerWith(
  { method, url }: Request,
  path: string,
  judge: () => Verdict | Promise<Verdict>,
): Promise<Response> {
  const requestId = crypto.randomUUID();
  if (method !== 'GET' && method !== 'HEAD') {
    log('health', { method, path, status: 405, failed: '' });
    const detail = 'Ask for the state of the service with GET';
    return respondWithProblem('method-not-allowed', detail, requestId, url, { Allow: 'GET, HEAD' });
  }
  const { status, failed, body } = await judge();
  log('health', { method, path, status, failed: failed.join(' ') });
  return respond(status, 'application/json', body, requestId);
}

async function readiness(env: Env): Promise<Verdict> {
  const found = Object.entries(await examine(env));
  const failed = found.filter(([, finding]) => finding !== undefined).map(([check]) => check);
  const checks = Object.fromEntries(found.map(([check, finding]) => [check, finding ?? 'ok']));
  return failed.length === 0
    ? { status: 200, failed, body: { status: 'ready', checks } }
    : { status: 503, failed, body: { status: 'not_ready', failed, checks } };
}

async function examine(env: Env): Promise<Readonly<Record<string, string | undefined>>> {
  try {
    return await findings(await loadConfig(env), new Date());
  } catch (error) {
    logError('configuration_unreadable', error);
    return { configuration: 'A binding or a variable is missing; the log line configuration_unreadable names it' };
  }
}
