/** `GET /healthz` and `GET /readyz`, for monitors and for people. */

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

/** Says that the Worker runs, whatever it stands on. */
export function healthz(request: Request): Promise<Response> {
  return tell(request, '/healthz', alive);
}

/** Says whether everything is in order, or what is not. */
export function readyz(request: Request, env: Env): Promise<Response> {
  return tell(request, '/readyz', () => ready(env));
}

async function tell({ method, url }: Request, path: string, look: () => Verdict | Promise<Verdict>): Promise<Response> {
  const { status, failed, body } = await (method === 'GET' || method === 'HEAD' ? look() : notAllowed());
  log('health', { method, path, status, failed: failed.join(' ') });
  const requestId = crypto.randomUUID();
  if (status !== 405) return respond(status, 'application/json', body, requestId);
  const problem = { type: new URL('/problems/method-not-allowed', url).href, ...body, request_id: requestId };
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

function alive(): Verdict {
  return { status: 200, failed: [], body: { status: 'alive' } };
}

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
