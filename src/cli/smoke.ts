/** `npm run smoke`: sends one marked event through the whole service and prints how long it took. */

import { ENDPOINT_PATH } from '../contract/endpoint.ts';
import { timeOf } from '../storage/event-id.ts';
import { routedOrigin } from './address.ts';
import { type AttemptResult, retrying } from './backoff.ts';
import { runCommand } from './command.ts';
import { isLocal, LOCAL_ENDPOINT, tokenFor } from './destination.ts';
import { ENV } from './environments.ts';
import { localStore } from './local-service.ts';
import type { StoreLocation } from './object-store/request.ts';
import { createObjectStore } from './object-store.ts';
import { readServiceAnswer } from './service-answer.ts';
import { findRow } from './smoke/find-row.ts';
import { isFitForSmoke } from './smoke/readiness.ts';
import { STORE_HELP, STORE_VARIABLES, storeLocation } from './store-location.ts';
import { COMMON_OPTIONS, describeOptions, readCommandLine, UsageError } from './usage.ts';

/** Marks an event as a test, in integration_id and property_id. Data teams leave such rows out. */
const MARK = 'smoke-test';

/** Timeout of an answer, in milliseconds: senders wait no longer. */
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Polls a deployed service for three minutes at least: its first deployment waits for a DNS record and a certificate.
 */
const READY_TRIES = 61;
const READY_PAUSE_MS = 3_000;

const OPTIONS = {
  url: COMMON_OPTIONS.url,
  env: { ...ENV, about: 'the service at the route of this environment in wrangler.toml' },
} as const;

const USAGE = `Usage: npm run smoke -- [--url URL | --env NAME]

Sends an event with integration_id and property_id "${MARK}", and looks for its row in R2.

${describeOptions(OPTIONS)}

Environment
  API_TOKEN             the token to send with; on this machine the one in .dev.vars
${STORE_HELP}`;

await runCommand(USAGE, async (args, interruption) => smoke(await readOrigin(args), interruption));

async function readOrigin(args: readonly string[]): Promise<string> {
  const { url, env } = readCommandLine(args, OPTIONS).values;
  if (url !== undefined && env !== undefined) throw new UsageError('Cannot use both --url and --env: give one of them');
  if (env !== undefined) return routeOf(env);
  return (url ?? LOCAL_ENDPOINT).origin;
}

/** The address of an environment. Loads wrangler, which takes a second. */
async function routeOf(env: string): Promise<string> {
  const { readWranglerConfig } = await import('./wrangler-config.ts');
  const origin = routedOrigin(readWranglerConfig(env));
  if (origin !== undefined) return origin;
  throw new Error(
    `Cannot find the address of ${env}: give it with --url, or write routes under [env.${env}] in wrangler.toml`,
  );
}

async function smoke(origin: string, interruption: AbortSignal): Promise<void> {
  const store = createObjectStore(storeOf(origin));
  await checkReady(origin, interruption);
  const started = performance.now();
  const { eventId, receivedAt } = await send(origin, interruption);
  tell('accepted', started, `event_id ${eventId}`);
  const found = await findRow(store, eventId, receivedAt, interruption);
  tell('in R2', started, found.key);
  const { integration_id, received_at } = found.row;
  if (integration_id !== MARK || received_at !== receivedAt.toISOString()) {
    throw new Error(`Cannot recognise the row: integration_id is ${integration_id}, received_at is ${received_at}`);
  }
}

async function checkReady(origin: string, signal: AbortSignal): Promise<void> {
  const started = performance.now();
  const attempt = async (): Promise<AttemptResult<string>> => {
    try {
      const response = await call(`${origin}/readyz`, {}, signal);
      const text = await response.text();
      if (isFitForSmoke(response.status, text)) return { value: text };
      return { why: `Cannot go on: ${origin}/readyz answers ${response.status} ${text}` };
    } catch (cause) {
      return { why: cause instanceof Error ? cause.message : String(cause), cause };
    }
  };
  const attempts = isLocal(new URL(origin)) ? 1 : READY_TRIES;
  const answer = await retrying(attempt, { attempts, everyMs: READY_PAUSE_MS, signal, say: (why) => why });
  tell('ready', started, answer);
}

async function send(origin: string, signal: AbortSignal): Promise<{ eventId: string; receivedAt: Date }> {
  const now = Date.now();
  const event = {
    IntegrationId: MARK,
    PropertyId: MARK,
    EventType: 'ReservationConfirmed',
    ReservationState: 'Confirmed',
    AssignedResourceNumber: '1',
    StartUtc: new Date(now).toISOString(),
    EndUtc: new Date(now + 86_400_000).toISOString(),
  };
  const headers = { Authentication: `Bearer ${tokenFor(new URL(origin))}`, 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(event) };
  const response = await call(origin + ENDPOINT_PATH, init, signal);
  if (response.status === 401) {
    throw new Error(
      `Cannot send the event: the token is not one of ${origin}; put one that is into the variable API_TOKEN`,
    );
  }
  // A sender can choose the status of accepted events, but there is always an event_id.
  const { eventId } = await readServiceAnswer(response.clone());
  if (eventId !== '') return { eventId, receivedAt: timeOf(eventId) };
  throw new Error(`Cannot send the event: the service answers ${response.status} ${await response.text()}`);
}

async function call(url: string, init: RequestInit, interruption: AbortSignal): Promise<Response> {
  const signal = AbortSignal.any([interruption, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
  try {
    return await fetch(url, { ...init, redirect: 'manual', signal });
  } catch (error) {
    throw new Error(`Cannot reach ${url}: check that the service runs there (locally: npm start)`, { cause: error });
  }
}

/** The bucket of a service: the local one if it runs on this machine, otherwise the one that the variables name. */
function storeOf(origin: string): StoreLocation {
  if (isLocal(new URL(origin))) return localStore(origin);
  if (process.env.R2_URL) return storeLocation();
  throw new Error(`Cannot look into the bucket of ${origin}: set the variables\n\n${STORE_VARIABLES}`);
}

function tell(what: string, started: number, detail: string): void {
  console.log(`${what.padEnd(8)} ${`${Math.round(performance.now() - started)} ms`.padStart(8)}  ${detail}`);
}
