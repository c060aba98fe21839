/** When a message that could not be written is tried again. Pure. */

const FIRST_DELAY_SECONDS = 30;
const MAX_DELAY_SECONDS = 900;

/** Delays are spread by this share up and down, so that a backlog does not come back all at once. */
const JITTER = 0.1;

/**
 * The delay before the next attempt: 30 s, doubled with each attempt up to 15 min.
 *
 * @param attempts - How often the message has been delivered, 1 the first time.
 * @param random - From 0 to 1.
 * @returns Whole seconds.
 */
export function retryDelaySeconds(attempts: number, random: number): number {
  const delay = Math.min(FIRST_DELAY_SECONDS * 2 ** (attempts - 1), MAX_DELAY_SECONDS);
  return Math.round(delay * (1 + JITTER * (2 * random - 1)));
}
