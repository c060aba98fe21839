/** Complete days as Parquet: one run, and how it went. */

import { type Env, loadConfig } from '../config.ts';
import { readGuestColumns } from '../guests/settings.ts';
import { openGuests } from '../publish/parquet/guests.ts';
import { PARQUET_LIMITS } from '../publish/parquet/limits.ts';
import { type ParquetRun, publishParquet } from '../publish/parquet/publish-parquet.ts';
import { createClock } from '../storage/clock.ts';
import type { GuestColumns } from '../storage/guest-columns.ts';
import { writeDataPoint } from '../telemetry/data-point.ts';
import { log, logError } from '../telemetry/log.ts';

/**
 * Writes what is due.
 *
 * @throws What writing throws, after it has been reported.
 */
export async function writeDays({ scheduledTime }: ScheduledController, env: Env): Promise<void> {
  const { bucket, pseudonymKey } = await loadConfig(env);
  const started = Date.now();
  try {
    const guests = await openGuests(readGuestColumns(env), pseudonymKey);
    const run = await publishParquet(bucket, createClock(scheduledTime), PARQUET_LIMITS, guests);
    report({ ...run, guest_columns: guests.columns }, env, started);
  } catch (error) {
    logError('parquet_failed', error);
    report({ ended: 'failed', objects: 0, rows: 0, bytes: 0, guest_columns: undefined }, env, started);
    throw error;
  }
}

interface Reported extends Omit<ParquetRun, 'ended'> {
  readonly ended: ParquetRun['ended'] | 'failed';
  readonly guest_columns: GuestColumns | undefined;
}

function report({ ended, objects, rows, bytes, guest_columns }: Reported, { METRICS }: Env, started: number): void {
  const durationMs = Date.now() - started;
  log('parquet', { ended, objects, rows, bytes, guest_columns, duration_ms: durationMs });
  writeDataPoint(METRICS, {
    kind: 'run',
    outcome: ended,
    source: 'parquet',
    count: rows,
    duration_ms: durationMs,
    objects,
  });
}
