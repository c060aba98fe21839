/** Events that travel together, and the address that takes them. */

import { BATCH_PATH, ENDPOINT_PATH } from '../../contract/endpoint.ts';
import type { Outgoing } from './outgoing.ts';

/** The address for batches that belongs to an endpoint. */
export function batchUrlOf(endpoint: URL): URL {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${BATCH_PATH.slice(ENDPOINT_PATH.length)}`;
  return url;
}

/** The bytes of an event in a batch. One that is no JSON goes alone, so that the answer tells its own line and column. */
export function bytesInBatch(event: Outgoing): number {
  return isJson(event.body) ? Buffer.byteLength(lineOf(event)) : Number.POSITIVE_INFINITY;
}

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
