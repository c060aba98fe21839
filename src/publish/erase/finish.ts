/** The end of an erasure: when no object of the table holds the guest any more, and when nothing of the guest can come. */

import type { ActiveRequest } from '../../guests/active-erasures.ts';
import { erasureRequestKey } from '../../storage/keys.ts';
import { findLastSequence } from '../../storage/part-log.ts';
import { tableShows } from '../../storage/table-run.ts';
import { oldestLanded } from '../oldest-landed.ts';
import { change, type Stage, type Work } from './work.ts';

/** Longer than a message can wait in a queue, 14 days (Queues, Limits). In milliseconds. */
const KEEP_MS = 15 * 24 * 3_600_000;

/** Waits until no object of the table holds the guest any more. */
export const awaitTable: Stage = async (work, request, record) => {
  const { bucket, clock } = work.tools;
  // How far the log went when this stage began.
  const through = record.done > 0 ? record.done : await findLastSequence(bucket);
  if (record.parts.length > 0 && (await tableShows(bucket, through))) {
    return change(work, request, () => ({ done: through }));
  }
  return change(work, request, () => ({
    stage: 'finished',
    done: 0,
    finished_at: new Date(clock.now()).toISOString(),
  }));
};

/** Deletes the request of an erasure that is finished, with its digests, when nothing that it wants can come any more. */
export async function forgetRequest({ tools }: Work, request: ActiveRequest): Promise<boolean> {
  const { bucket, clock } = tools;
  if (clock.now() < request.activeSince + KEEP_MS) return false;
  if ((await oldestLanded(bucket)) <= Date.parse(request.received_through)) return false;
  await bucket.delete(erasureRequestKey(request.erasure_id));
  return true;
}
