/** When a message that could not be written is tried again. Pure. */

const FIRST_DELAY_SECONDS = 30;
const GROWTH = 3;
const MAX_DELAY_SECONDS = 900;

/**
 * Delays are lengthened by up to this share, so that a backlog does not come back all at once. Never shortened: 99
 * delays between 100 deliveries are at least 30 + 90 + 270 + 810 + 95 × 900 = 86,700 s, which is just over 24 hours.
 */
const JITTER = 0.1;

/**
 * The delay before the next attempt: 30 s, three times as long with each attempt, up to 15 min, and the jitter.
 *
 * @param attempts - How often the message has been delivered, 1 the first time.
 * @param random - From 0 to 1.
 * @returns Whole seconds.
 */
export function retryDelaySeconds(attempts: number, random: number): number {
  const delay = Math.min(FIRST_DELAY_SECONDS * GROWTH ** (attempts - 1), MAX_DELAY_SECONDS);
  return Math.round(delay * (1 + JITTER * random));
}
