/** `GET /healthz` and `GET /readyz`, for monitors and for people. */

import { type Env, loadConfig } from '../config.ts';
import { respond } from '../http/respond.ts';
import { respondWithProblem } from '../http/respond-with-problem.ts';
import { log, logError } from '../telemetry/log.ts';
import { check } from './checks.ts';
import { observe, type Publisher } from './observe.ts';

/** What is answered, and logged. */
interface Verdict {
  readonly status: 200 | 503;
  /** The checks that failed. */
  readonly failed: readonly string[];
  readonly body: object;
}

/** Says that the Worker runs; it does not ask the stores. */
export function healthz(request: Request): Promise<Response> {
  return answerWith(request, '/healthz', () => ({ status: 200, failed: [], body: { status: 'alive' } }));
}

/** Says whether everything is in order, or what is not. */
export function readyz(request: Request, env: Env): Promise<Response> {
  return answerWith(request, '/readyz', () => readiness(env));
}

async function answerWith(
  { method }: Request,
  path: string,
  judge: () => Verdict | Promise<Verdict>,
): Promise<Response> {
  const requestId = crypto.randomUUID();
  if (method !== 'GET' && method !== 'HEAD') {
    log('health', { method, path, status: 405, failed: '' });
    const detail = 'Ask for the state of the service with GET';
    return respondWithProblem('method-not-allowed', detail, requestId, { Allow: 'GET, HEAD' });
  }
  const { status, failed, body } = await judge();
  log('health', { method, path, status, failed: failed.join(' ') });
  return respond(status, 'application/json', body, requestId);
}

async function readiness(env: Env): Promise<Verdict> {
  const { findings, publisher } = await examine(env);
  const found = Object.entries(findings);
  const failed = found.filter(([, finding]) => finding !== undefined).map(([name]) => name);
  const checks = Object.fromEntries(found.map(([name, finding]) => [name, finding ?? 'ok']));
  const published = publisher && { published: describePublisher(publisher) };
  return failed.length === 0
    ? { status: 200, failed, body: { status: 'ready', checks, ...published } }
    : { status: 503, failed, body: { status: 'not_ready', failed, checks, ...published } };
}

interface Examined {
  readonly findings: Readonly<Record<string, string | undefined>>;
  readonly publisher?: Publisher | undefined;
}

async function examine(env: Env): Promise<Examined> {
  try {
    const config = await loadConfig(env);
    const observed = await observe(config);
    return { findings: check(observed, config, new Date()), publisher: observed.publisher };
  } catch (error) {
    logError('configuration_unreadable', error);
    const finding = 'A binding or a variable is missing; the log line configuration_unreadable names it';
    return { findings: { configuration: finding } };
  }
}

function describePublisher({ lastRun, watermark }: Publisher): object {
  return {
    last_run_at: lastRun?.started_at ?? null,
    last_good_run_at: lastRun?.last_good_at ?? null,
    complete_through: watermark?.complete_through ?? null,
    late_events: watermark?.late_events ?? 0,
    last_late_at: watermark?.last_late_at ?? null,
  };
}
