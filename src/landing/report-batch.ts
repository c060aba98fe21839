/** What is told of a batch: one log line, and one data point for each thing that became of its messages. */

import type { Env } from '../config.ts';
import { writeDataPoint } from '../telemetry/data-point.ts';
import { log } from '../telemetry/log.ts';
import type { Landed } from './land.ts';
import type { Batch } from './write-then-settle.ts';

/**
 * Reports what became of a batch.
 *
 * @param started - When the batch was delivered, and `ended` when it was settled, in milliseconds of the epoch.
 */
export function reportBatch(
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
