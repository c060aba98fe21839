/** Rate limits, counted by the platform. */

import { answerOf } from './with-timeout.ts';

/** In milliseconds: together with the time for the durable stores, below the 5 s after which senders give up. */
const RATE_LIMIT_TIMEOUT_MS = 500;

/** The part of `RateLimit` that is used here. */
export interface RateLimiter {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/**
 * Counts one request of `key` and returns whether it exceeds the limit. The platform counts separately in each of its
 * locations. A limiter that is missing, fails or hangs blocks nobody: events matter more than limits.
 */
export async function isOverRate(limiter: RateLimiter | undefined, key: string): Promise<boolean> {
  if (limiter === undefined) return false;
  const counted = await answerOf('rate_limit_failed', () => limiter.limit({ key }), RATE_LIMIT_TIMEOUT_MS);
  return counted?.success === false;
}

/** The groups of an IPv6 address that identify a network. Anyone in it can choose the other four. */
const NETWORK_GROUPS = 4;
const ALL_GROUPS = 8;

/**
 * The network that a request came from: the client address as seen by Cloudflare (`CF-Connecting-IP`, which a sender
 * cannot set), or the first 64 bits of an IPv6 address (RFC 4291 section 2.5.4).
 */
export function networkOf(headers: Headers): string {
  const address = headers.get('CF-Connecting-IP') ?? '';
  if (!address.includes(':')) return address;
  const [left = [], right = []] = address.split('::').map((side) => side.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(Math.max(0, ALL_GROUPS - left.length - right.length)).fill('0');
  return `${[...left, ...zeros, ...right].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
