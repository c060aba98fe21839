/** One run of erasing guests: each request a few steps further. */

import type { ActiveErasures } from '../../guests/active-erasures.ts';
import type { ErasureRecord } from '../../storage/erasure.ts';
import { uuidv7 } from '../../storage/event-id.ts';
import type { Bucket } from '../bucket.ts';
import { releaseOnError } from '../lease.ts';
import { createBudget } from './budget.ts';
import { eraseNewerParts } from './erase-newer-parts.ts';
import { eraseParts } from './erase-parts.ts';
import { awaitTable, deleteRequest } from './finish.ts';
import { changeRecord, newRecord, readRecord } from './record.ts';
import { beginRewriting, type RewriteTools, type Rewritten } from './rewriting.ts';
import { type EraseStage, type Work, withNew } from './work.ts';

export interface EraseRun {
  /** `busy`: the publisher is at work. `overtaken`: another run went on. `more`: requests are not finished. */
  readonly ended: 'done' | 'more' | 'busy' | 'overtaken';
  /** Parts that were rewritten, and rows that were erased in them. */
  readonly parts: number;
  readonly rows: number;
}

const STAGES: Readonly<Record<Exclude<ErasureRecord['stage'], 'finished'>, EraseStage>> = {
  parts: eraseParts,
  newer_parts: eraseNewerParts,
  table: awaitTable,
};

/** Runs once. Whatever it throws, the next run takes up where it stopped. */
export async function eraseGuests(tools: Omit<RewriteTools, 'digest'>, erasures: ActiveErasures): Promise<EraseRun> {
  const run = uuidv7();
  return releaseOnError(tools.bucket, run, tools.clock, () => eraseInTurn(tools, run, erasures));
}

async function eraseInTurn(
  tools: Omit<RewriteTools, 'digest'>,
  run: string,
  erasures: ActiveErasures,
): Promise<EraseRun> {
  const withDigest = { ...tools, digest: erasures.digest };
  const done = { parts: 0, rows: 0 };
  const rewriting = await beginRewriting(withDigest, run, async (rewritten) => {
    await noteRewritten(withDigest, erasures, rewritten);
    done.parts += rewritten.filter(({ erased }) => erased > 0).length;
    done.rows += rewritten.reduce((rows, { erased }) => rows + erased, 0);
  });
  if (rewriting === undefined) return { ended: 'busy', ...done };
  const work: Work = { tools: withDigest, erasures, rewriting, budget: createBudget(tools.limits) };
  let unfinished = 0;
  for (const request of erasures.requests) {
    let record = (await readRecord(tools.bucket, request.erasure_id)) ?? newRecord(request);
    for (let before: string | undefined; record.stage !== 'finished' && record.stage !== before; ) {
      before = record.stage;
      const next = await STAGES[record.stage](work, request, record);
      if (next === undefined) return { ended: 'overtaken', ...done };
      record = next;
    }
    if (record.stage === 'finished') await deleteRequest(work, request);
    else unfinished += 1;
  }
  await rewriting.close();
  return { ended: unfinished === 0 ? 'done' : 'more', ...done };
}

/** When the oldest request was made that is not finished, `YYYY-MM-DDTHH:MM:SS.sssZ`; null when all are. */
export async function unfinishedSince(
  bucket: Pick<Bucket, 'get'>,
  { requests }: ActiveErasures,
): Promise<string | null> {
  const times: string[] = [];
  for (const { erasure_id, requested_at } of requests) {
    const record = await readRecord(bucket, erasure_id);
    if (record?.stage !== 'finished') times.push(requested_at);
  }
  return times.sort()[0] ?? null;
}

/** Writes into the records which parts were rewritten. */
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
    await changeRecord(tools, newRecord(request), (record) => ({
      ...record,
      parts: withNew(record.parts, parts, ({ key }) => key),
    }));
  }
}
