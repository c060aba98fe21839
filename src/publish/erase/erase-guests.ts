/** One run of erasing guests, which takes each request a few steps further. */

import type { ActiveErasures, ActiveRequest } from '../../guests/active-erasures.ts';
import type { Bucket } from '../../storage/bucket.ts';
import type { ErasureRecord } from '../../storage/erasure.ts';
import { createBudget } from '../budget.ts';
import { type EraseStage, eraseNewerParts, eraseParts, type Work } from './erase-parts.ts';
import { awaitTable, deleteRequest } from './finish.ts';
import { changeRecord, readRecord, withNew } from './record.ts';
import { type RewriteRun, type RewriteTools, type Rewritten, rewriteInTurn } from './rewriting.ts';

const STAGES: Readonly<Record<Exclude<ErasureRecord['stage'], 'finished'>, EraseStage>> = {
  parts: eraseParts,
  newer_parts: eraseNewerParts,
  table: awaitTable,
};

/** Runs once. Whatever it throws, the next run continues where it stopped. */
export async function eraseGuests(
  { bucket, clock, limits }: Omit<RewriteTools, 'digest'>,
  erasures: ActiveErasures,
): Promise<RewriteRun> {
  const tools = { bucket, clock, limits, digest: erasures.digest };
  const note = (rewritten: readonly Rewritten[]) => noteRewritten(tools, erasures, rewritten);
  return rewriteInTurn(tools, note, async (rewriting) => {
    const budget = createBudget(limits.runParts, limits.runBytes);
    let unfinished = 0;
    for (const request of erasures.requests) {
      const begun = await readRecord(bucket, request);
      const record = begun && (await goThroughStages({ tools, erasures, rewriting, budget }, request, begun));
      if (begun !== undefined && record === undefined) return 'overtaken';
      if (record?.stage === 'finished') await deleteRequest(tools, request);
      else unfinished += 1;
    }
    return unfinished === 0 ? 'done' : 'more';
  });
}

/** @returns The record when no stage gets any further in this run; undefined when another run has taken over. */
async function goThroughStages(
  work: Work,
  request: ActiveRequest,
  begun: ErasureRecord,
): Promise<ErasureRecord | undefined> {
  let record: ErasureRecord | undefined = begun;
  for (let before: string | undefined; record && record.stage !== 'finished' && record.stage !== before; ) {
    before = record.stage;
    record = await STAGES[record.stage](work, request, record);
  }
  return record;
}

export interface Unfinished {
  /** When the oldest unfinished request was made, `YYYY-MM-DDTHH:MM:SS.sssZ`; null when all are finished. */
  readonly unfinished_since: string | null;
  /** How many records are unreadable, so that their requests are not processed. */
  readonly unreadable_records: number;
}

export async function findUnfinished(bucket: Pick<Bucket, 'get'>, { requests }: ActiveErasures): Promise<Unfinished> {
  const times: string[] = [];
  let unreadable = 0;
  for (const request of requests) {
    const record = await readRecord(bucket, request);
    if (record === undefined) unreadable += 1;
    if (record?.stage !== 'finished') times.push(request.requested_at);
  }
  return { unfinished_since: times.sort()[0] ?? null, unreadable_records: unreadable };
}

async function noteRewritten(
  tools: RewriteTools,
  { requests }: ActiveErasures,
  rewritten: readonly Rewritten[],
): Promise<void> {
  for (const request of requests) {
    const parts = rewritten
      .filter(({ erasure_id, erased }) => erasure_id === request.erasure_id && erased > 0)
      .map(({ key, replaces, erased: rows }) => ({ key, replaces, rows }));
    if (parts.length === 0) continue;
    await changeRecord(tools, request, (record) => ({ parts: withNew(record.parts, parts) }));
  }
}
