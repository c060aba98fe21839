/** The end of an erasure: when no columnar object holds the guest any more, and when nothing of the guest can come. */

import type { ActiveRequest } from '../../guests/active-erasures.ts';
import { uuidv7 } from '../../storage/event-id.ts';
import { erasureRequestKey } from '../../storage/keys.ts';
import { findLastSequence } from '../../storage/part-log.ts';
import { oldestLanded } from '../oldest-landed.ts';
import { replacementsOfCovered } from '../parquet/plan.ts';
import { readProgress } from '../parquet/progress.ts';
import { change, type Stage, type Work } from './work.ts';

/** Longer than a message can wait in a queue, 14 days (Queues, Limits). In milliseconds. */
const KEEP_MS = 15 * 24 * 3_600_000;

/** Waits until the columnar objects are in line with the log, as far as it goes now. */
export const awaitParquet: Stage = async (work, request, record) => {
  const { bucket, clock } = work.tools;
  // How far the log went when this stage began.
  const through = record.done > 0 ? record.done : await findLastSequence(bucket);
  const { value } = await readProgress(bucket, uuidv7(), clock);
  const replaced = new Set(record.parts.map(({ replaces }) => replaces));
  const waits = Object.values(value.uncovered)
    .flatMap((entries) => replacementsOfCovered(entries))
    .some(({ sequence }) => sequence <= through);
  const isInvolved = value.sequence > 0 || value.open !== null;
  const isBehind =
    value.read_through < through || waits || value.open?.parts.some((part) => replaced.has(part)) === true;
  if (isInvolved && isBehind && replaced.size > 0) return change(work, request, () => ({ done: through }));
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
