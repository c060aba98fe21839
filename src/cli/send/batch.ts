/** A batch of events, and the address that accepts it. */

import { BATCH_PATH, ENDPOINT_PATH } from '../../contract/endpoint.ts';

export function batchUrlOf(endpoint: URL): URL {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${BATCH_PATH.slice(ENDPOINT_PATH.length)}`;
  return url;
}

/** A line of a batch, which is NDJSON: an event with its idempotency key. */
export function batchLine({ key, body }: { readonly key: string; readonly body: string }): string {
  return `{"idempotency_key":${JSON.stringify(key)},"event":${body}}\n`;
}
