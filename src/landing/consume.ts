/** Which queue a batch comes from, and what is done with it. */

import { type Config, type Env, loadConfig } from '../config.ts';
import { bury } from './bury.ts';
import { EVENTS, REJECTIONS } from './cargo.ts';
import { land } from './land.ts';
import { reportBatch, type Tally } from './report-batch.ts';
import type { Batch } from './write-then-settle.ts';

/**
 * Handles a batch of a queue.
 *
 * @throws For a queue that is not ours, so that its messages are delivered again and the mistake is seen.
 */
export async function consume(batch: Batch, env: Env): Promise<void> {
  const started = Date.now();
  const tally = await handle(batch, await loadConfig(env));
  reportBatch(env, batch, tally, started, Date.now());
}

async function handle({ queue, messages }: Batch, { bucket, ...config }: Config): Promise<Tally> {
  switch (queue) {
    case config.landingQueue: {
      const { landed, buried } = await land(EVENTS, queue, messages, bucket);
      return { landed, dead_lettered: buried };
    }
    case config.rejectedQueue: {
      const { landed, buried } = await land(REJECTIONS, queue, messages, bucket);
      return { rejected: landed, dead_lettered: buried };
    }
    case config.deadLetterQueue:
    case config.rejectedDeadLetterQueue:
      return { dead_lettered: await bury(queue, messages, bucket) };
    default:
      throw new Error(
        `Cannot consume ${queue}: it is none of LANDING_QUEUE (${config.landingQueue}), REJECTED_QUEUE (${config.rejectedQueue}), DEAD_LETTER_QUEUE (${config.deadLetterQueue}) and REJECTED_DEAD_LETTER_QUEUE (${config.rejectedDeadLetterQueue}); correct [vars] in wrangler.toml`,
      );
  }
}
