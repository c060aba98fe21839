/** Trying again what may pass, later and later. */

import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;

/** A service that asks for more time than this is left for a later run, in milliseconds. */
const MAX_ASKED_MS = 900_000;

/** What an attempt came to: what was wanted, or why another may be worth it, with the header Retry-After of the answer. */
export type Attempt<Value> =
  | { readonly value: Value }
  | {
      readonly why: string;
      readonly cause?: unknown;
      readonly retryAfter?: string | null;
      /** Whether another attempt would fail likewise. */
      readonly isFinal?: boolean;
    };

/** How often and how long something is tried. */
export interface Retrying {
  /** The attempts after which the last failure is final. */
  readonly attempts: number;
  /** How long to wait each time, in milliseconds, in place of later and later. */
  readonly everyMs?: number;
  /** Ends waiting, and keeps the next attempt from being made. */
  readonly signal: AbortSignal;
  /** Told before each wait why there is one. */
  readonly onWait?: (why: string) => void;
  /** What is thrown in the end. */
  fail(why: string, cause: unknown): Error;
}

/** Tries until there is a value. @throws What `fail` makes. */
export async function retrying<Value>(
  attempt: () => Promise<Attempt<Value>>,
  { attempts, everyMs, signal, onWait, fail }: Retrying,
): Promise<Value> {
  for (let number = 1; ; number += 1) {
    signal.throwIfAborted();
    const result = await attempt();
    if ('value' in result) return result.value;
    const { why, cause, retryAfter = null, isFinal = false } = result;
    if (isFinal || number === attempts) throw fail(why, cause);
    const delayMs = everyMs ?? retryDelayMs(number, retryAfter, new Date(), Math.random());
    if (delayMs > MAX_ASKED_MS + FIRST_DELAY_MS)
      throw fail(`${why} and asks for ${Math.round(delayMs / 60_000)} minutes`, cause);
    onWait?.(why);
    await sleep(delayMs, undefined, { signal });
  }
}

/**
 * The delay before the next attempt: what Retry-After says (RFC 9110 section 10.2.3), or half a second, doubled with
 * each attempt up to a minute, spread so that requests that failed together do not come back together. Pure.
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

/** Seconds or an HTTP date; `Date.parse()` would take numbers with a sign or a fraction for years. */
function readRetryAfter(text: string | null, now: Date): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const date = /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
