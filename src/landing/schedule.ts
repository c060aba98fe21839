/** The retry delays of messages that could not be written. Pure. */

const FIRST_DELAY_SECONDS = 30;
const GROWTH = 3;

/** Whether a message moves on to another queue after its last attempt. */
export type QueueStage = 'queue' | 'dead-letter queue';

/**
 * The longest delays. The 99 delays between 100 deliveries, the maximum of Cloudflare Queues, add up to at least
 * 30 + 90 + 270 + 810 + 95 × 900 = 86,700 s, just over 24 hours, before a message becomes a dead letter. A dead letter
 * has no further queue to go to: its delays add up to more than the 14 days for which a queue can keep it.
 *
 * The watermark waits longer than any of them (`src/publish/readings.ts`).
 */
const MAX_DELAY_SECONDS: Readonly<Record<QueueStage, number>> = { queue: 900, 'dead-letter queue': 14_400 };

/** Delays are lengthened by up to this fraction, never shortened, so that a backlog does not return all at once. */
const JITTER = 0.1;

/**
 * The delay before the next attempt: 30 s, tripled with each attempt, up to 15 min (4 h for dead letters), plus jitter.
 *
 * @param attempts - The number of deliveries so far, from 1.
 * @param random - From 0 to 1.
 * @returns Whole seconds.
 */
export function retryDelaySeconds(stage: QueueStage, attempts: number, random: number): number {
  const delay = Math.min(FIRST_DELAY_SECONDS * GROWTH ** (attempts - 1), MAX_DELAY_SECONDS[stage]);
  return Math.round(delay * (1 + JITTER * random));
}
