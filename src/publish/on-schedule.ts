/** Which cron has fired, and what is done about it. */

import { type Env, loadConfig } from '../config.ts';
import { log } from '../telemetry/log.ts';
import type { ReaderSource } from './fan-out.ts';
import { LIMITS } from './limits.ts';
import { publish, type Run } from './publish.ts';
import { moveWatermark } from './watermark.ts';

/** What makes further invocations of this Worker; the context of an invocation is one. */
export interface Invocations {
  readonly exports: { readonly SourceReader: ReaderSource };
}

/** What a run has done, and up to when `events/` is complete after it; undefined when the run did not look. */
export interface Finished extends Run {
  readonly completeThrough: string | undefined;
}

/**
 * Handles a cron trigger: publishes what is due, then moves the watermark.
 *
 * @throws For a cron that is not ours, so that the run is marked as failed and the mistake is seen.
 */
export async function onSchedule(
  { cron, scheduledTime }: ScheduledController,
  env: Env,
  { exports }: Invocations,
): Promise<Finished> {
  const { bucket, events, deadLetters, publishCron, parquetCron, publishAfterMs } = await loadConfig(env);
  if (cron !== publishCron) {
    throw new Error(
      `Cannot run for cron ${cron}: it is neither PUBLISH_CRON (${publishCron}) nor PARQUET_CRON (${parquetCron}); correct [vars] in wrangler.toml`,
    );
  }
  const clock = {
    now: () => Math.max(scheduledTime, Date.now()),
    wait: (milliseconds: number) => scheduler.wait(milliseconds),
  };
  const run = await publish(bucket, clock, { ...LIMITS, publishAfterMs }, exports.SourceReader);
  log('published', { ...run });
  // Also when another run publishes: readings must follow one another. A run that is started for a time to come may
  // publish ahead, but promise nothing.
  const watermark = await moveWatermark(bucket, { events, deadLetters }, Math.min(scheduledTime, Date.now()));
  if (watermark !== undefined) log('watermark', { ...watermark });
  return { ...run, completeThrough: watermark?.complete_through };
}
