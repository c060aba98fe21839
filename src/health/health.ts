/** `GET /healthz` and `GET /readyz`, for monitors and for people. */

import { type Env, loadConfig } from '../config.ts';
import { isOverRate, networkOf } from '../http/rate-limit.ts';
import { refreshed } from '../http/refreshed.ts';
import { respond, respondWithProblem } from '../http/respond.ts';
import { log, logError } from '../telemetry/log.ts';
import { check } from './checks.ts';
import { observe, type Publisher } from './observe.ts';

interface Verdict {
  readonly status: 200 | 503;
  readonly body: object;
}

/** How long a verdict is cached, in milliseconds: making one costs a listing, three reads and four queue readings. */
const VERDICT_AGE_MS = 5_000;

/** In milliseconds: longer than making a verdict may take. */
const PATIENCE_MS = 3_000;

const verdicts = new WeakMap<Env, () => Promise<Verdict>>();

/** Answers that the Worker runs, without asking the stores. */
export async function healthz({ method }: Request): Promise<Response> {
  const requestId = crypto.randomUUID();
  return isRead(method) ? respond(200, 'application/json', { status: 'alive' }, requestId) : notAllowed(requestId);
}

/** Answers whether all checks pass, and which fail. Anybody may ask, so the verdict is cached. */
export async function readyz({ method, headers }: Request, env: Env): Promise<Response> {
  const requestId = crypto.randomUUID();
  if (!isRead(method)) return notAllowed(requestId);
  if (await isOverRate(env.WRONG_TOKEN_RATE, `/readyz ${networkOf(headers)}`)) {
    const detail = 'Too many questions for the state of the service came from this address; ask again in a minute';
    return respondWithProblem('too-many-requests', detail, requestId, { 'Retry-After': '60' });
  }
  const judge = verdicts.get(env) ?? refreshed(() => readiness(env), VERDICT_AGE_MS, PATIENCE_MS);
  verdicts.set(env, judge);
  const { status, body } = await judge();
  return respond(status, 'application/json', body, requestId);
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function notAllowed(requestId: string): Response {
  const detail = 'Ask for the state of the service with GET';
  return respondWithProblem('method-not-allowed', detail, requestId, { Allow: 'GET, HEAD' });
}

async function readiness(env: Env): Promise<Verdict> {
  const config = await loadConfig(env).catch((error: unknown) => logError('configuration_unreadable', error));
  const observed = config && (await observe(config));
  const found = Object.entries<string | undefined>(observed ? check(observed, config, new Date()) : UNCONFIGURED);
  const failed = found.filter(([, finding]) => finding !== undefined).map(([name]) => name);
  const checks = Object.fromEntries(found.map(([name, finding]) => [name, finding ?? 'ok']));
  const published = observed?.publisher && { published: describePublisher(observed.publisher) };
  const status = failed.length === 0 ? 200 : 503;
  log('health', { path: '/readyz', status, failed: failed.join(' ') });
  return status === 200
    ? { status, body: { status: 'ready', checks, ...published } }
    : { status, body: { status: 'not_ready', failed, checks, ...published } };
}

const UNCONFIGURED = {
  configuration: 'A binding or a variable is missing; the log line configuration_unreadable names it',
};

function describePublisher({ lastRun, watermark, table }: Publisher): object {
  return {
    last_run_at: lastRun?.started_at ?? null,
    last_good_run_at: lastRun?.last_good_at ?? null,
    complete_through: watermark?.complete_through ?? null,
    late_events: watermark?.late_events ?? 0,
    last_late_at: watermark?.last_late_at ?? null,
    table_complete_through: table.lastRun?.complete_through ?? null,
  };
}
