/** `GET /healthz` and `GET /readyz`, for monitors and for people. */

import type { IRequestStrict } from 'itty-router';
import { IttyRouter } from 'itty-router/IttyRouter';
import { byPath } from '../by-path.ts';
import { type Env, loadConfig } from '../config.ts';
import { log, logError } from '../log.ts';
import { respond } from '../respond.ts';
import { findings } from './checks.ts';

/** What is answered, and said in the log. */
interface Verdict {
  readonly status: 200 | 405 | 503;
  /** The checks that failed. */
  readonly failed: readonly string[];
  readonly body: object;
}

const router = IttyRouter<IRequestStrict, [Env], Promise<Verdict> | Verdict>()
  .get('/healthz', alive)
  .head('/healthz', alive)
  .get('/readyz', (_, env) => ready(env))
  .head('/readyz', (_, env) => ready(env))
  .all('*', notAllowed);

/** Answers for the state of the service. */
export async function health(request: Request, env: Env): Promise<Response> {
  const { status, failed, body } = await router.fetch(byPath(request), env);
  log('health', { method: request.method, path: new URL(request.url).pathname, status, failed: failed.join(' ') });
  const requestId = crypto.randomUUID();
  if (status !== 405) return respond(status, 'application/json', body, requestId);
  const problem = { type: new URL('/problems/method-not-allowed', request.url).href, ...body, request_id: requestId };
  return respond(status, 'application/problem+json', problem, requestId, { Allow: 'GET, HEAD' });
}

/** The same problem that intake answers (RFC 9457), with what to do here. */
function notAllowed(): Verdict {
  return {
    status: 405,
    failed: [],
    body: { title: 'The method is not allowed', status: 405, detail: 'Ask for the state of the service with GET' },
  };
}

/** The Worker runs, whatever it stands on. */
function alive(): Verdict {
  return { status: 200, failed: [], body: { status: 'alive' } };
}

/** Everything is in order, or what is not. */
async function ready(env: Env): Promise<Verdict> {
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
