/** When a message that could not be written is tried again. Pure. */

const FIRST_DELAY_SECONDS = 30;
const GROWTH = 3;

/** Whether another queue takes the message when its attempts are used up. */
export type QueueStage = 'queue' | 'dead-letter queue';

/**
 * The longest delays. 99 delays between 100 deliveries, the most that Cloudflare Queues makes, last for at least
 * 30 + 90 + 270 + 810 + 95 × 900 = 86,700 s, just over 24 hours, before a message becomes a dead letter. A dead letter has
 * no further queue to go to: its delays outlast the 14 days for which a queue can keep it.
 *
 * The watermark waits for longer than each of them (`src/publish/readings.ts`).
 */
const MAX_DELAY_SECONDS: Readonly<Record<QueueStage, number>> = { queue: 900, 'dead-letter queue': 14_400 };

/** Delays are lengthened by up to this share, so that a backlog does not come back all at once, and never shortened. */
const JITTER = 0.1;

/**
 * The delay before the next attempt: 30 s, three times as long with each attempt, up to 15 min (4 h for dead letters),
 * and the jitter.
 *
 * @param attempts - How often the message has been delivered, 1 the first time.
 * @param random - From 0 to 1.
 * @returns Whole seconds.
 */
export function retryDelaySeconds(stage: QueueStage, attempts: number, random: number): number {
  const delay = Math.min(FIRST_DELAY_SECONDS * GROWTH ** (attempts - 1), MAX_DELAY_SECONDS[stage]);
  return Math.round(delay * (1 + JITTER * random));
}
