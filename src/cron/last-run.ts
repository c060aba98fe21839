/** The record of the last run, which lets an idle run be skipped. */

import type { Config } from '../config.ts';
import type { Clock } from '../storage/clock.ts';
import { LANDING_PARTITIONS, LAST_RUN_KEY } from '../storage/keys.ts';
import { type LastRun, LastRunSchema } from '../storage/last-run.ts';
import { readState, type State, swapState } from '../storage/state.ts';
import { logError } from '../telemetry/log.ts';

/**
 * How old the last full run may be, in milliseconds: short enough that the readings of the queues have no gap even when
 * one is missed (`MAX_GAP_MS` in src/publish/readings.ts).
 */
const MAX_LOOK_AGE_MS = 3 * 60_000;

/**
 * Whether nothing waits in a queue or in `landing/`, and a run that ended with `done` began less than three minutes
 * ago. An idle environment then costs one listing a minute instead of six calls. Does not throw: when a call fails, a
 * full run is due.
 *
 * @param now - In milliseconds since 1970.
 */
export async function isIdle(
  { bucket, events, deadLetters }: Pick<Config, 'bucket' | 'events' | 'deadLetters'>,
  now: number,
): Promise<boolean> {
  try {
    const { value } = await readState(bucket, LAST_RUN_KEY, LastRunSchema);
    const isFresh = value?.ended === 'done' && now - Date.parse(value.started_at) < MAX_LOOK_AGE_MS;
    if (!isFresh || value.unfinished_erasure_since !== null) return false;
    for (const queue of [events, deadLetters]) if ((await queue.metrics()).backlogCount > 0) return false;
    return (await bucket.list({ prefix: LANDING_PARTITIONS, limit: 1 })).objects.length === 0;
  } catch (error) {
    logError('idle_unknown', error);
    return false;
  }
}

export type RunFacts = Omit<LastRun, 'last_good_at'>;

type Recorded = Pick<R2Bucket, 'get' | 'head' | 'put'>;

/**
 * Writes the record, unless a concurrent run has written its own meanwhile. Does not throw: a run that has published
 * must not count as failed because its record is missing.
 */
export async function recordRun(bucket: Recorded, facts: RunFacts, clock: Clock): Promise<void> {
  try {
    const good = facts.ended === 'done' || facts.ended === 'more';
    const last = await readLast(bucket);
    const record: LastRun = { ...facts, last_good_at: good ? facts.started_at : (last.value?.last_good_at ?? null) };
    await swapState(bucket, LAST_RUN_KEY, record, last, clock);
  } catch (error) {
    logError('run_unrecorded', error);
  }
}

/** Reads the last record. An unreadable one is replaced, since the run that has just ended says more. */
async function readLast(bucket: Recorded): Promise<State<LastRun>> {
  try {
    return await readState(bucket, LAST_RUN_KEY, LastRunSchema);
  } catch (error) {
    logError('run_unreadable', error);
    const object = await bucket.head(LAST_RUN_KEY);
    return { value: undefined, etag: object?.etag, writtenAt: object?.uploaded.getTime() ?? 0 };
  }
}
