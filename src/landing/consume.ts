/** Which queue a batch comes from, and what is done with it. */

import { type Env, loadConfig } from '../config.ts';
import { bury } from './bury.ts';
import { EVENTS, REJECTIONS } from './cargo.ts';
import { land } from './land.ts';

/**
 * Handles a batch of a queue.
 *
 * @throws For a queue that is not ours, so that its messages are delivered again and the mistake is seen.
 */
export async function consume({ queue, messages }: MessageBatch, env: Env): Promise<void> {
  const { bucket, ...config } = await loadConfig(env);
  switch (queue) {
    case config.landingQueue:
      return land(EVENTS, queue, messages, bucket);
    case config.rejectedQueue:
      return land(REJECTIONS, queue, messages, bucket);
    case config.deadLetterQueue:
    case config.rejectedDeadLetterQueue:
      return bury(queue, messages, bucket);
    default:
      throw new Error(
        `Cannot consume ${queue}: it is none of LANDING_QUEUE (${config.landingQueue}), REJECTED_QUEUE (${config.rejectedQueue}), DEAD_LETTER_QUEUE (${config.deadLetterQueue}) and REJECTED_DEAD_LETTER_QUEUE (${config.rejectedDeadLetterQueue}); correct [vars] in wrangler.toml`,
      );
  }
}
