/** What is told of a batch: one log line, and one data point for each thing that became of its messages. */

import type { Env } from '../config.ts';
import { writeDataPoint } from '../telemetry/data-point.ts';
import { log } from '../telemetry/log.ts';
import type { Landed } from './land.ts';
import type { Batch, Settled } from './write-then-settle.ts';

/**
 * Reports what became of a batch. Each line is counted once, as written where it belongs or as `retried`.
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
  const settled: readonly Settled[] = Object.values(landed);
  const counts: Record<string, number> = { retried: sum(settled.map(({ retried }) => retried)) };
  for (const [outcome, { written }] of Object.entries(landed)) counts[outcome] = written;
  const oldest = Math.min(...messages.map(({ timestamp }) => timestamp.getTime()));
  const facts = { duration_ms: ended - started, age_ms: Math.max(0, started - oldest) };
  log('batch', {
    queue,
    messages: messages.length,
    objects: sum(settled.map(({ objects }) => objects)),
    ...counts,
    ...facts,
  });
  for (const [outcome, count] of Object.entries(counts)) {
    if (count === 0) continue;
    writeDataPoint(METRICS, {
      kind: 'batch',
      outcome,
      source: queue,
      count,
      ...facts,
    });
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
