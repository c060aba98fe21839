/** Leaving out what a run would find: an idle environment then costs one listing a minute in place of six calls. */

import type { Config } from '../config.ts';
import { LANDING_PARTITIONS, LAST_RUN_KEY } from '../storage/keys.ts';
import { LastRunSchema } from '../storage/last-run.ts';
import { readState } from '../storage/state.ts';
import { logError } from '../telemetry/log.ts';

/**
 * How long ago a run may have looked everywhere, in milliseconds: readings of the queues follow one another without a gap
 * also when one is missed (`MAX_GAP_MS` in src/publish/readings.ts).
 */
const LOOK_MS = 3 * 60_000;

/**
 * Whether nothing waits in a queue or in `landing/`, and a run that found all in order began less than three minutes ago.
 * It does not throw: what cannot be known is for a run to find out.
 *
 * @param now - Milliseconds since 1970.
 */
export async function isIdle(
  { bucket, events, deadLetters }: Pick<Config, 'bucket' | 'events' | 'deadLetters'>,
  now: number,
): Promise<boolean> {
  try {
    const { value } = await readState(bucket, LAST_RUN_KEY, LastRunSchema);
    const isFresh = value?.ended === 'done' && now - Date.parse(value.started_at) < LOOK_MS;
    if (!isFresh || value.unfinished_erasure_since !== null) return false;
    for (const queue of [events, deadLetters]) if ((await queue.metrics()).backlogCount > 0) return false;
    return (await bucket.list({ prefix: LANDING_PARTITIONS, limit: 1 })).objects.length === 0;
  } catch (error) {
    logError('idle_unknown', error);
    return false;
  }
}
