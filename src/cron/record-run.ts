/** Leaving a record of a run behind. */

import type { Clock } from '../storage/clock.ts';
import { LAST_RUN_KEY } from '../storage/keys.ts';
import { type LastRun, LastRunSchema } from '../storage/last-run.ts';
import { readState, type State, swapState } from '../storage/state.ts';
import { logError } from '../telemetry/log.ts';

export type RunFacts = Omit<LastRun, 'last_good_at'>;

type Recorded = Pick<R2Bucket, 'get' | 'head' | 'put'>;

/**
 * Writes the record, unless a run beside this one has written its own meanwhile. It does not throw: a run that has
 * published must not count as failed for want of it.
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

/** A record that cannot be read is replaced: it says less than the run that has just ended. */
async function readLast(bucket: Recorded): Promise<State<LastRun>> {
  try {
    return await readState(bucket, LAST_RUN_KEY, LastRunSchema);
  } catch (error) {
    logError('run_unreadable', error);
    const object = await bucket.head(LAST_RUN_KEY);
    return { value: undefined, etag: object?.etag, writtenAt: object?.uploaded.getTime() ?? 0 };
  }
}
