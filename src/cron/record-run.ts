/** Leaving a record of a run behind. */

import { LAST_RUN_KEY } from '../storage/keys.ts';
import { type LastRun, LastRunSchema } from '../storage/last-run.ts';
import { readState } from '../storage/state.ts';
import { logError } from '../telemetry/log.ts';

/** What is known of the run itself. */
export type RunFacts = Omit<LastRun, 'last_good_at'>;

/** Writes the record. It does not throw: a run that has published must not count as failed for want of it. */
export async function recordRun(bucket: Pick<R2Bucket, 'get' | 'put'>, facts: RunFacts): Promise<void> {
  try {
    const good = facts.ended === 'done' || facts.ended === 'more';
    const record: LastRun = { ...facts, last_good_at: good ? facts.started_at : await lastGood(bucket) };
    await bucket.put(LAST_RUN_KEY, JSON.stringify(record), { httpMetadata: { contentType: 'application/json' } });
  } catch (error) {
    logError('run_unrecorded', error);
  }
}

/** A record that cannot be read is replaced: it says less than the run that has just ended. */
async function lastGood(bucket: Pick<R2Bucket, 'get'>): Promise<string | null> {
  try {
    return (await readState(bucket, LAST_RUN_KEY, LastRunSchema)).value?.last_good_at ?? null;
  } catch (error) {
    logError('run_unreadable', error);
    return null;
  }
}
