/** The end of an erasure: when the table shows no row unerased, and when no more data of the guest can arrive. */

import type { ActiveRequest } from '../../guests/active-erasures.ts';
import { REQUEST_KEPT_DAYS } from '../../storage/erasure.ts';
import { DAY_MS, erasureRequestKey } from '../../storage/keys.ts';
import { findLastSequence } from '../../storage/part-log.ts';
import { readState } from '../../storage/state.ts';
import { TABLE_RUN_KEY, TableRunSchema } from '../../storage/table-run.ts';
import { oldestLanded } from '../oldest-landed.ts';
import type { EraseStage, Work } from './erase-parts.ts';
import { changeRecord } from './record.ts';

/**
 * Waits until no object of the table holds a replaced part, as far as the log goes now. Every replacement counts, since
 * another erasure, or the retention of guests, may have rewritten a part before this one did.
 */
export const awaitTable: EraseStage = async ({ tools }, request, record) => {
  const { bucket, clock } = tools;
  // Where the log ended when this stage began.
  const through = record.done > 0 ? record.done : await findLastSequence(bucket);
  if (await tableShows(bucket, through)) return changeRecord(tools, request, () => ({ done: through }));
  return changeRecord(tools, request, () => ({
    stage: 'finished',
    done: 0,
    finished_at: new Date(clock.now()).toISOString(),
  }));
};

/**
 * Whether an object of the table, including earlier snapshots, may still hold rows of a part that the log has replaced.
 *
 * @param sequence - The log entry that replaces the part, or a later one.
 */
export async function tableShows(bucket: Pick<R2Bucket, 'get' | 'list'>, sequence: number): Promise<boolean> {
  const { value } = await readState(bucket, TABLE_RUN_KEY, TableRunSchema);
  if (value !== undefined) return value.replaced_through < sequence;
  // Without a record there is no table, or no run has processed it since the record was lost.
  return (await bucket.list({ prefix: 'iceberg/', limit: 1 })).objects.length > 0;
}

/** Deletes the request of a finished erasure, with its digests, when no more data that it covers can arrive. */
export async function deleteRequest(
  { bucket, clock }: Work['tools'],
  { erasure_id, received_through, activeSince }: ActiveRequest,
): Promise<void> {
  if (clock.now() < activeSince + REQUEST_KEPT_DAYS * DAY_MS) return;
  if ((await oldestLanded(bucket)) > Date.parse(received_through)) await bucket.delete(erasureRequestKey(erasure_id));
}
