/** The queue handler: dispatches a batch by the queue that it comes from. */

import { type Config, type Env, loadConfig } from '../config.ts';
import { writeDataPoint } from '../telemetry/data-point.ts';
import { log } from '../telemetry/log.ts';
import { gatherBatch } from './gather-batch.ts';
import { type Landed, land, type Origin } from './land.ts';
import type { Batch } from './write-then-settle.ts';

/**
 * Handles a batch of a queue.
 *
 * @throws For a queue that is not configured, so that its messages are delivered again and the mistake is noticed.
 */
export async function consume(batch: Batch, env: Env): Promise<void> {
  const started = Date.now();
  const config = await loadConfig(env);
  if (batch.queue === config.gatherQueue) return gatherBatch(batch, config.bucket);
  const landed = await land(originOf(batch.queue, config), batch.messages, config.bucket);
  reportBatch(env, batch, landed, started, Date.now());
}

function originOf(queue: string, config: Config): Origin {
  switch (queue) {
    case config.landingQueue:
      return { queue, stage: 'queue', carries: 'landing' };
    case config.rejectedQueue:
      return { queue, stage: 'queue', carries: 'rejected' };
    case config.deadLetterQueue:
      return { queue, stage: 'dead-letter queue', carries: 'landing' };
    case config.rejectedDeadLetterQueue:
      return { queue, stage: 'dead-letter queue', carries: 'rejected' };
    default:
      throw new Error(
        `Cannot consume ${queue}: it is not one of LANDING_QUEUE (${config.landingQueue}), REJECTED_QUEUE (${config.rejectedQueue}), DEAD_LETTER_QUEUE (${config.deadLetterQueue}), REJECTED_DEAD_LETTER_QUEUE (${config.rejectedDeadLetterQueue}) and GATHER_QUEUE (${config.gatherQueue}); correct [vars] in wrangler.toml`,
      );
  }
}

/**
 * Writes one log line, and one data point for each outcome of a batch.
 *
 * @param started - When the batch was delivered, and `ended` when it was settled, in milliseconds since the epoch.
 */
function reportBatch(
  { METRICS }: Pick<Env, 'METRICS'>,
  { queue, messages }: Batch,
  landed: Landed,
  started: number,
  ended: number,
): void {
  const { objects, ...outcomes } = landed;
  const oldest = Math.min(...messages.map(({ timestamp }) => timestamp.getTime()));
  const facts = { duration_ms: ended - started, age_ms: Math.max(0, started - oldest) };
  log('batch', { queue, messages: messages.length, objects, ...outcomes, ...facts });
  for (const [outcome, count] of Object.entries(outcomes)) {
    if (count > 0) writeDataPoint(METRICS, { kind: 'batch', outcome, source: queue, count, ...facts });
  }
}
