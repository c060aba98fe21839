/** How often somebody may ask, counted by the platform. */

import { withTimeout } from '../http/with-timeout.ts';
import { logError } from '../telemetry/log.ts';
import { RATE_LIMIT_TIMEOUT_MS } from './limits.ts';

/** The one call of a rate limit binding; a RateLimit is one. */
export interface RateLimiter {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/**
 * Counts one request of `key` and says whether it is one too many. The platform counts for each of its locations.
 * A limiter that is missing, fails or hangs stops nobody: events weigh more than limits.
 */
export function isOverRate(limiter: RateLimiter | undefined, key: string): boolean | Promise<boolean> {
  return limiter !== undefined && count(limiter, key);
}

async function count(limiter: RateLimiter, key: string): Promise<boolean> {
  try {
    const counted = await withTimeout(limiter.limit({ key }), RATE_LIMIT_TIMEOUT_MS);
    if (counted === undefined) logError('rate_limit_failed', new Error(`No answer within ${RATE_LIMIT_TIMEOUT_MS} ms`));
    return counted?.success === false;
  } catch (error) {
    logError('rate_limit_failed', error);
    return false;
  }
}
