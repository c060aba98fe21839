/** A batch of events, and the address that accepts it. */

import { BATCH_PATH, ENDPOINT_PATH } from '../../contract/endpoint.ts';
import { parseOrUndefined } from '../../json/parse-plainly.ts';
import type { Outgoing } from './outgoing.ts';

export function batchUrlOf(endpoint: URL): URL {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${BATCH_PATH.slice(ENDPOINT_PATH.length)}`;
  return url;
}

/**
 * Bytes of an event in a batch; infinite for text that is not JSON. That is sent alone, so that the answer gives its
 * own line and column.
 */
export function bytesInBatch(event: Outgoing): number {
  return parseOrUndefined(event.body) === undefined ? Number.POSITIVE_INFINITY : Buffer.byteLength(lineOf(event));
}

/** Events as NDJSON, each with its idempotency key. */
export function batchOf(events: readonly Outgoing[]): string {
  return events.map(lineOf).join('');
}

function lineOf({ key, body }: Outgoing): string {
  return `{"idempotency_key":${JSON.stringify(key)},"event":${body}}\n`;
}
