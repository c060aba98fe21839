/** Events that travel together, and the address that takes them. */

import { BATCH_PATH, ENDPOINT_PATH, MAX_BATCH_BYTES, MAX_BATCH_EVENTS } from '../../contract/endpoint.ts';
import { ANSWER_TIMEOUT_MS } from '../post-with-timeout.ts';
import type { Outgoing } from './outgoing.ts';
import type { GroupLimits } from './turns.ts';

/** The address for batches that belongs to an endpoint. */
export function batchUrlOf(endpoint: URL): URL {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${BATCH_PATH.slice(ENDPOINT_PATH.length)}`;
  return url;
}

/**
 * Finds out whether a service takes batches: older ones have nothing at that address. One that cannot be reached may
 * answer later; its events go one at a time, which every service takes.
 */
export async function takesBatches(endpoint: URL): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  return fetch(batchUrlOf(endpoint), { method: 'OPTIONS', redirect: 'manual', signal }).then(
    ({ status }) => status === 204,
    () => false,
  );
}

/** As many events as the service takes. One that is no JSON goes alone, so that the answer tells its own line and column. */
export const IN_BATCHES: GroupLimits = {
  events: MAX_BATCH_EVENTS,
  bytes: MAX_BATCH_BYTES,
  sizeOf: (event) => (isJson(event.body) ? Buffer.byteLength(lineOf(event)) : Number.POSITIVE_INFINITY),
};

export const ONE_AT_A_TIME: GroupLimits = { events: 1, bytes: 0, sizeOf: () => 0 };

/** The NDJSON of events, each beside its own key. */
export function batchOf(events: readonly Outgoing[]): string {
  return events.map(lineOf).join('');
}

function lineOf({ key, body }: Outgoing): string {
  return `{"idempotency_key":${JSON.stringify(key)},"event":${body}}\n`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
