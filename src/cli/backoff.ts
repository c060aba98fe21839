/** How long to wait before the next attempt. Pure. */

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;

/**
 * The delay before the next attempt: what Retry-After says (RFC 9110 section 10.2.3), or half a second, doubled with
 * each attempt up to a minute, spread so that requests that failed together do not come back together.
 *
 * @param attempt - The attempt that failed, from 1.
 * @param retryAfter - The header of the answer, if there is one.
 * @param random - From 0 to 1.
 * @returns Milliseconds.
 */
export function retryDelayMs(attempt: number, retryAfter: string | null, now: Date, random: number): number {
  const asked = readRetryAfter(retryAfter, now);
  if (asked !== undefined) return asked + random * FIRST_DELAY_MS;
  return Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS) * (0.5 + random / 2);
}

function readRetryAfter(text: string | null, now: Date): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
