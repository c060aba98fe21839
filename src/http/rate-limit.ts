/** How often somebody may ask, counted by the platform. */

import { answerOf } from './with-timeout.ts';

/** How long the rate limiter may take, in milliseconds: together with the durable store it stays below the 5 s after which senders give up. */
const RATE_LIMIT_TIMEOUT_MS = 500;

/** The one call of a rate limit binding; a RateLimit is one. */
export interface RateLimiter {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/**
 * Counts one request of `key` and says whether it is one too many. The platform counts for each of its locations.
 * A limiter that is missing, fails or hangs stops nobody: events weigh more than limits.
 */
export async function isOverRate(limiter: RateLimiter | undefined, key: string): Promise<boolean> {
  if (limiter === undefined) return false;
  const counted = await answerOf('rate_limit_failed', () => limiter.limit({ key }), RATE_LIMIT_TIMEOUT_MS);
  return counted?.success === false;
}

/** The groups of an IPv6 address that name a network; anyone in it can choose the other four. */
const NETWORK_GROUPS = 4;
const ALL_GROUPS = 8;

/**
 * The network that a request came from: the address that Cloudflare saw (`CF-Connecting-IP`; what a sender writes there
 * does not reach the Worker), of an IPv6 address the first 64 bits (RFC 4291 section 2.5.4).
 */
export function networkOf(headers: Headers): string {
  const address = headers.get('CF-Connecting-IP') ?? '';
  if (!address.includes(':')) return address;
  const [left = [], right = []] = address.split('::').map((side) => side.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(Math.max(0, ALL_GROUPS - left.length - right.length)).fill('0');
  return `${[...left, ...zeros, ...right].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
