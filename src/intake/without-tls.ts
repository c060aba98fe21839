/**
 * Refuses requests without TLS. A sender configured with `http:` would expose its token and its guests to everybody on
 * the network path, and never notice. The URL of a request has the scheme that the client used.
 */

import type { Config } from '../config.ts';
import { authenticate } from '../senders/authenticate.ts';
import type { KnownSender } from '../senders/sender.ts';
import { createClock } from '../storage/clock.ts';
import { rememberShown } from '../storage/shown-tokens.ts';
import { logError } from '../telemetry/log.ts';
import type { Background } from './make-durable.ts';
import { type Outcome, refuse } from './outcome.ts';

/** Loopback addresses, which nobody else can read (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3). */
const LOOPBACK = /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/?]|$)/;

/** Whether a request to this URL can be read on the network path. */
export function isWithoutTls(url: string): boolean {
  return url.startsWith('http:') && !LOOPBACK.test(url);
}

/** The interval at which an isolate records the same exposed token again, in milliseconds. */
const WRITE_AGAIN_MS = 3_600_000;

/** When each exposed token was last recorded, by its sender and number. */
const written = new WeakMap<Config, Map<string, number>>();

/**
 * Refuses a request after reading only its headers. A token in them has been exposed: it is looked up, so that the log
 * line and the data point of the request, and an alarm, can name its sender.
 */
export async function refuseWithoutTls({ headers }: Request, config: Config, background: Background): Promise<Outcome> {
  const authenticated = await authenticate(headers, config);
  if (!authenticated.ok) return refuse({ reason: 'without_tls' });
  const sender = authenticated.value;
  background.waitUntil(remember(sender, config));
  return refuse({ reason: 'without_tls' }, sender);
}

async function remember({ name, tokenNumber }: KnownSender, config: Config): Promise<void> {
  const times = written.get(config) ?? new Map<string, number>();
  written.set(config, times);
  const key = `${name} ${tokenNumber}`;
  const now = Date.now();
  if (now - (times.get(key) ?? Number.NEGATIVE_INFINITY) < WRITE_AGAIN_MS) return;
  times.set(key, now);
  try {
    await rememberShown(config.bucket, { sender: name, token: tokenNumber }, createClock(now));
  } catch (error) {
    times.delete(key);
    logError('shown_token_not_kept', error, { sender: name, token: tokenNumber });
  }
}
