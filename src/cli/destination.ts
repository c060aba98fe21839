/** The service that a tool sends to, and the token it sends with. */

import { ENDPOINT_PATH } from '../contract/endpoint.ts';
import { DEFAULT_PORT, localToken } from './local-service.ts';
import { UsageError } from './usage.ts';

/** The endpoint of `npm start`. */
export const LOCAL_ENDPOINT = new URL(`http://localhost:${DEFAULT_PORT}${ENDPOINT_PATH}`);

/** Whether a service runs on this machine. */
export function isLocal({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1';
}

/**
 * The token for a service: API_TOKEN or, for a service on this machine, the one in .dev.vars.
 *
 * @throws UsageError when there is none, or when it cannot be sent in a header.
 */
export function tokenFor(url: URL): string {
  const token = process.env.API_TOKEN?.trim() || (isLocal(url) ? localToken() : '');
  if (token === '')
    throw new UsageError(`Cannot send to ${url.host} without a token: set API_TOKEN to one of that service`);
  if (/^[ -~]+$/.test(token)) return token;
  throw new UsageError('Cannot use the token: it holds characters that no header can, such as letters with accents');
}
