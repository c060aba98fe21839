/** The cron handler: posts alarms and publishes, or writes the table, and reports the result. */

import { type Env, loadConfig } from '../config.ts';
import { createKeyedDigest, keyCheckOf } from '../guests/digest.ts';
import { answerOf } from '../http/with-timeout.ts';
import { notify } from '../notify/notify.ts';
import { type Finished, onSchedule } from '../publish/on-schedule.ts';
import { createClock } from '../storage/clock.ts';
import { writeDataPoint } from '../telemetry/data-point.ts';
import { log, logError, runningVersion } from '../telemetry/log.ts';
import { followPublished } from './follow-published.ts';
import { isIdle, type RunFacts, recordRun } from './last-run.ts';
import { oneAtATime } from './one-at-a-time.ts';

const FAILED = { ended: 'failed', rows: 0, parts: 0, moved: undefined, erasing: undefined } as const;

/**
 * Handles a cron trigger.
 *
 * @throws For a cron expression that no variable has, so that the mistake is noticed; and what the run throws, after
 * reporting it, so that the platform counts the run as failed too.
 */
export async function runScheduled(controller: ScheduledController, env: Env): Promise<void> {
  const { publishCron, tableCron } = await loadConfig(env);
  switch (controller.cron) {
    case publishCron:
      return publishEvents(controller, env);
    case tableCron:
      return followPublished(controller, env);
    default:
      throw new Error(
        `Cannot run for cron ${controller.cron}: it is neither PUBLISH_CRON (${publishCron}) nor TABLE_CRON (${tableCron}); correct [vars] in wrangler.toml`,
      );
  }
}

async function publishEvents(controller: ScheduledController, env: Env): Promise<void> {
  const started = Date.now();
  if (await isIdle(await loadConfig(env), Math.max(controller.scheduledTime, started))) {
    log('run', { ended: 'idle', duration_ms: Date.now() - started });
    return;
  }
  await notifyOperator(controller, env);
  try {
    const finished = await oneAtATime(() => onSchedule(controller, env));
    if (finished === undefined) log('run', { ended: 'postponed', duration_ms: Date.now() - started });
    else await report(finished, controller, env, started);
  } catch (error) {
    logError('run_failed', error);
    await report(FAILED, controller, env, started);
    throw error;
  }
}

/** How long publishing waits for alarms, in milliseconds: enough for a slow bucket and a slow webhook. */
const ALARMS_TIMEOUT_MS = 15_000;

/** Posts alarms before publishing, so that a run that kills the isolate is still reported. Does not throw. */
async function notifyOperator({ scheduledTime }: ScheduledController, env: Env): Promise<void> {
  const config = await loadConfig(env);
  await answerOf('alarms_failed', () => notify(config, createClock(scheduledTime)), ALARMS_TIMEOUT_MS);
}

/** Writes a log line, data points for publishing and for erasing, and the record that `/readyz` reads. */
async function report(
  { ended, rows, parts, moved, erasing }: Finished | typeof FAILED,
  { scheduledTime }: ScheduledController,
  env: Env,
  started: number,
): Promise<void> {
  const now = Date.now();
  const durationMs = now - started;
  const lagMs = moved?.watermark && now - Date.parse(moved.watermark.complete_through);
  log('run', { ended, rows, objects: parts, duration_ms: durationMs, lag_ms: lagMs });
  writeDataPoint(env.METRICS, {
    kind: 'run',
    outcome: ended,
    source: 'publish',
    count: rows,
    duration_ms: durationMs,
    age_ms: lagMs,
    objects: parts,
  });
  if (erasing !== undefined) {
    writeDataPoint(env.METRICS, {
      kind: 'run',
      outcome: erasing.ended,
      source: 'erase',
      count: erasing.rows,
      duration_ms: erasing.duration_ms,
      age_ms: erasing.unfinished_since === null ? 0 : Math.max(0, now - Date.parse(erasing.unfinished_since)),
      objects: erasing.parts,
    });
  }
  const { bucket, pseudonymKey } = await loadConfig(env);
  const facts: RunFacts = {
    // A run may be scheduled for a future time, as in a local trial.
    started_at: new Date(Math.max(scheduledTime, started)).toISOString(),
    ended,
    duration_ms: durationMs,
    rows,
    objects: parts,
    unfinished_erasure_since: erasing?.unfinished_since ?? null,
    readings_without_age: moved?.without_age ?? 0,
    without_age_since: moved?.without_age_since ? new Date(moved.without_age_since).toISOString() : null,
    pseudonym_key_check: pseudonymKey === undefined ? null : keyCheckOf(createKeyedDigest(pseudonymKey)),
    version: runningVersion(),
  };
  await recordRun(bucket, facts, createClock(scheduledTime));
}
