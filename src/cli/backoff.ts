/** Retries operations with exponential backoff. */

import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;

/** A service that asks for a longer wait is left to a later run, in milliseconds. */
const MAX_ASKED_MS = 900_000;

/** The result of an attempt: a value, or why it failed, with the Retry-After header of the answer. */
export type AttemptResult<Value> =
  | { readonly value: Value }
  | {
      readonly why: string;
      readonly cause?: unknown;
      readonly retryAfter?: string | null;
      /** Whether another attempt would fail, too. */
      readonly isFinal?: boolean;
    };

export interface Retrying {
  /** Maximum number of attempts. */
  readonly attempts: number;
  /** A fixed delay in milliseconds, instead of a growing one. */
  readonly everyMs?: number;
  /** Stops waiting and prevents the next attempt. */
  readonly signal: AbortSignal;
  /** Called before each wait with its reason. */
  readonly onWait?: (why: string) => void;
  /** Says what failed for a reason. */
  readonly say: (why: string) => string;
}

/** Retries until there is a value. @throws An error with the text of `say`. */
export async function retrying<Value>(
  attempt: () => Promise<AttemptResult<Value>>,
  { attempts, everyMs, signal, onWait, say }: Retrying,
): Promise<Value> {
  for (let number = 1; ; number += 1) {
    signal.throwIfAborted();
    const result = await attempt();
    if ('value' in result) return result.value;
    const { why, cause, retryAfter = null, isFinal = false } = result;
    if (isFinal || number === attempts) throw new Error(say(why), { cause });
    const delayMs = everyMs ?? retryDelayMs(number, retryAfter, new Date(), Math.random());
    if (delayMs > MAX_ASKED_MS + FIRST_DELAY_MS)
      throw new Error(say(`${why} and asks for ${Math.round(delayMs / 60_000)} minutes`), { cause });
    onWait?.(why);
    await sleep(delayMs, undefined, { signal });
  }
}

/**
 * The delay before the next attempt: what Retry-After asks for (RFC 9110 section 10.2.3), or half a second, doubled
 * after each attempt up to a minute, with jitter so that requests that failed together do not come back together. Pure.
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

/** Accepts seconds or an HTTP date; `Date.parse()` would take numbers with a sign or a fraction for years. */
function readRetryAfter(text: string | null, now: Date): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const date = /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
