/** What the publisher does each time its cron trigger fires. */

import { type Config, type Env, loadConfig } from '../config.ts';
import { type ActiveErasures, loadErasures } from '../guests/active-erasures.ts';
import { createKeyedDigest } from '../guests/digest.ts';
import { MIN_PSEUDONYM_KEY, readKeepDays } from '../guests/settings.ts';
import { type Clock, createClock } from '../storage/clock.ts';
import { log, logError } from '../telemetry/log.ts';
import { eraseGuests, findUnfinished, type Unfinished } from './erase/erase-guests.ts';
import { expireGuests } from './erase/expire-guests.ts';
import { ERASE_LIMITS } from './erase/limits.ts';
import type { RewriteRun } from './erase/rewriting.ts';
import { LIMITS } from './limits.ts';
import { type PublishRun, publish } from './publish.ts';
import { type Moved, moveWatermark } from './watermark.ts';

export interface Finished extends Pick<PublishRun, 'ended' | 'rows' | 'parts'> {
  readonly moved: Moved;
  /** What was done for guests to be erased; undefined when there are none. */
  readonly erasing: Erasing | undefined;
}

/** What a run has done for guests to be erased. */
interface Erasing extends Omit<RewriteRun, 'ended'>, Unfinished {
  readonly ended: RewriteRun['ended'] | 'failed';
  readonly duration_ms: number;
}

/**
 * Publishes what is due, moves the watermark, and then erases guests.
 *
 * @throws What publishing and moving the watermark throw; also when the guests to be erased cannot be determined, since
 * rows of theirs that were published would have to be withdrawn.
 */
export async function onSchedule({ scheduledTime }: ScheduledController, env: Env): Promise<Finished> {
  const config = await loadConfig(env);
  const { bucket, events, deadLetters, gather: gatherQueue, publishAfterMs, pseudonymKey } = config;
  const clock = createClock(scheduledTime);
  const erasures = await loadErasures(bucket, pseudonymKey);
  const run = await publish(bucket, clock, { ...LIMITS, publishAfterMs }, gatherQueue, erasures);
  log('published', { ...run });
  // Also when another run publishes: readings must be taken continually. A run that is scheduled in the future may
  // publish ahead of time, but must not promise anything.
  const moved = await moveWatermark(bucket, { events, deadLetters }, clock, Math.min(scheduledTime, Date.now()));
  const { watermark, without_age: readingsWithoutAge } = moved;
  if (watermark !== undefined || readingsWithoutAge > 0) {
    log('watermark', { ...watermark, readings_without_age: readingsWithoutAge });
  }
  const erasing = erasures === undefined ? undefined : await erase(bucket, clock, erasures);
  // An erasure has to finish itself what it has begun, since its record says what was done.
  if (erasing === undefined || erasing.ended === 'done' || erasing.ended === 'more') await expire(env, config, clock);
  return { ...run, moved, erasing };
}

/** Erases guests whose retention is over. Does not throw, for the same reason as `erase()`. */
async function expire(env: Env, { bucket, pseudonymKey }: Config, clock: Clock): Promise<void> {
  const started = Date.now();
  try {
    const keepDays = readKeepDays(env);
    if (keepDays === undefined) return;
    if (pseudonymKey === undefined) {
      throw new Error(
        `Cannot erase guests whose time is over: KEEP_GUEST_COLUMNS_DAYS needs the secret PSEUDONYM_KEY, of ${MIN_PSEUDONYM_KEY} characters or more; set it with npm run secret -- set PSEUDONYM_KEY`,
      );
    }
    const digest = createKeyedDigest(pseudonymKey);
    const run = await expireGuests({ bucket, clock, digest, limits: ERASE_LIMITS }, keepDays);
    if (run.ended !== 'done' || run.parts > 0) log('expired', { ...run, duration_ms: Date.now() - started });
  } catch (error) {
    logError('expiry_failed', error);
  }
}

/** Does not throw: what was published stays so. The next run tries again, and readiness reports what is overdue. */
async function erase(bucket: R2Bucket, clock: Clock, erasures: ActiveErasures): Promise<Erasing> {
  const started = Date.now();
  const run = await eraseGuests({ bucket, clock, limits: ERASE_LIMITS }, erasures).catch((error: unknown) => {
    logError('erasure_failed', error);
    return { ended: 'failed', parts: 0, rows: 0 } as const;
  });
  const erasing = { ...run, duration_ms: Date.now() - started, ...(await findUnfinished(bucket, erasures)) };
  // Whatever those rows hold beyond the limit is not erased: somebody has to look.
  log('erased', { ...erasing, requests: erasures.requests.length, rows_read_in_part: erasures.cut });
  return erasing;
}
