/** Runs the writer of the table and reports the result. */

import { type Env, loadConfig } from '../config.ts';
import { readGuestColumns } from '../guests/settings.ts';
import { createClock } from '../storage/clock.ts';
import { createGuests } from '../table/guests.ts';
import { TABLE_LIMITS } from '../table/limits.ts';
import { runTable } from '../table/run-table.ts';
import type { WriterRun } from '../table/write-table.ts';
import { writeDataPoint } from '../telemetry/data-point.ts';
import { log, logError } from '../telemetry/log.ts';
import { oneAtATime } from './one-at-a-time.ts';

/**
 * Brings the table up to date with `events/`.
 *
 * @throws What writing throws, after reporting it.
 */
export async function followPublished({ scheduledTime }: ScheduledController, env: Env): Promise<void> {
  const { bucket, bucketName, pseudonymKey } = await loadConfig(env);
  const started = Date.now();
  const clock = createClock(scheduledTime);
  try {
    const guests = createGuests(readGuestColumns(env), pseudonymKey);
    const location = `s3://${bucketName}/iceberg/events`;
    const run = await oneAtATime(() => runTable({ bucket, location, clock, guests, limits: TABLE_LIMITS }));
    if (run === undefined) log('table', { ended: 'postponed', duration_ms: Date.now() - started });
    else report(run, env, started);
  } catch (error) {
    logError('table_failed', error);
    report({ ended: 'failed', commits: 0, rows: 0, deleted: 0 }, env, started);
    throw error;
  }
}

interface Reported extends Pick<WriterRun, 'commits' | 'rows' | 'deleted'> {
  readonly ended: WriterRun['ended'] | 'failed';
  readonly log_sequence?: number;
}

function report({ ended, commits, rows, deleted, log_sequence }: Reported, { METRICS }: Env, started: number): void {
  const durationMs = Date.now() - started;
  log('table', { ended, commits, rows, deleted, log_sequence, duration_ms: durationMs });
  writeDataPoint(METRICS, {
    kind: 'run',
    outcome: ended,
    source: 'table',
    count: rows,
    duration_ms: durationMs,
    objects: commits,
  });
}
