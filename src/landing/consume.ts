/** Which queue a batch comes from, and what is done with it. */

import { type Env, loadConfig } from '../config.ts';
import { bury } from './bury.ts';
import { land } from './land.ts';

/**
 * Handles a batch of a queue.
 *
 * @throws For a queue that is not ours, so that its messages are delivered again and the mistake is seen.
 */
export async function consume(batch: MessageBatch, env: Env): Promise<void> {
  const { bucket, landingQueue, deadLetterQueue } = await loadConfig(env);
  switch (batch.queue) {
    case landingQueue:
      return land(batch.queue, batch.messages, bucket);
    case deadLetterQueue:
      return bury(batch.queue, batch.messages, bucket);
    default:
      throw new Error(
        `Cannot consume ${batch.queue}: it is neither LANDING_QUEUE (${landingQueue}) nor DEAD_LETTER_QUEUE (${deadLetterQueue}); correct [vars] in wrangler.toml`,
      );
  }
}
