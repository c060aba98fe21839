/** Erasing the parts that have rows of the guest: those that the search found, and those added to the log since. */

import type { ActiveErasures, ActiveRequest } from '../../guests/active-erasures.ts';
import type { Bucket } from '../../storage/bucket.ts';
import type { ErasureRecord } from '../../storage/erasure.ts';
import { findLive } from '../../storage/find-live.ts';
import { formatEventId } from '../../storage/line-bytes.ts';
import { readLogEntry } from '../../storage/part-log.ts';
import { visitRecords } from '../../storage/unpacked-lines.ts';
import type { Budget } from '../budget.ts';
import { changeRecord } from './record.ts';
import { isOld, type RewriteTools, type Rewriting, type WantedRewrite } from './rewriting.ts';
import { erasuresWanting } from './wanted-rows.ts';

export interface Work {
  readonly tools: RewriteTools;
  readonly erasures: ActiveErasures;
  readonly rewriting: Rewriting;
  readonly budget: Budget;
}

/**
 * Does as much of a stage as the budget of the run allows.
 *
 * @returns The record, with the next stage when this one is finished. Undefined when another run has taken over.
 */
export type EraseStage = (
  work: Work,
  request: ActiveRequest,
  record: ErasureRecord,
) => Promise<ErasureRecord | undefined>;

/** Rewrites the parts that the request names. A part that is too young stops the stage until a later run. */
export const eraseParts: EraseStage = async ({ tools, rewriting, budget }, request, record) => {
  const { erasure_id } = request;
  const rewritten = new Set(record.parts.map(({ key }) => key));
  const wanted: WantedRewrite[] = [];
  const missing: string[] = [];
  let { done } = record;
  for (const { key, event_ids, named_in } of request.parts.slice(done)) {
    if (!budget.isLeft) break;
    const found = await findLive(tools.bucket, key);
    if (found === undefined) {
      missing.push(key);
    } else if (!rewritten.has(found.key)) {
      if (!isOld(tools, found)) break;
      wanted.push({ replaces: found.key, event_ids, named_in, erasure_id });
      budget.take(found.size);
    }
    done += 1;
  }
  if (!(await rewriting.rewrite(wanted))) return undefined;
  return changeRecord(tools, request, (now) => ({
    missing: [...new Set([...now.missing, ...missing])],
    ...(done < request.parts.length ? { done } : { stage: 'newer_parts', done: 0 }),
  }));
};

/**
 * How long after a request was made there may be writers that do not know it, in milliseconds: a run takes at most 15
 * minutes, as does a batch of a queue (Workers, Limits), and R2 may carry out their calls a while later.
 */
const KNOWN_MS = 30 * 60_000;

/**
 * Searches the parts added to the log since the search began, some by runs that did not know the request, and rewrites
 * those that have rows of the guest.
 */
export const eraseNewerParts: EraseStage = async (work, request, record) => {
  const { tools, rewriting, budget } = work;
  if (!isKnown(work, request)) return record;
  let { done } = record;
  let isWhole = false;
  while (budget.isLeft) {
    const entry = await readLogEntry(tools.bucket, request.log_through + done + 1);
    isWhole = entry === undefined;
    if (entry === undefined) break;
    // The rows of a replacement come from a part that was searched, or that is met here under its own entry.
    const part = entry.operation === 'replace' ? undefined : await findLive(tools.bucket, entry.key);
    if (part !== undefined && isSuspect(part, request)) {
      budget.take(part.size * tools.limits.searchWeight);
      const rows = await findRows(tools.bucket, part.key, work.erasures, request);
      if (rows.event_ids.length + rows.named_in.length > 0) {
        if (!isOld(tools, part)) break;
        const wanted = { replaces: part.key, ...rows, erasure_id: request.erasure_id };
        if (!(await rewriting.rewrite([wanted]))) return undefined;
      }
    }
    done += 1;
  }
  return changeRecord(tools, request, () => (isWhole ? { stage: 'table', done: 0 } : { done }));
};

function isKnown({ tools }: Work, { activeSince }: ActiveRequest): boolean {
  return tools.clock.now() > activeSince + KNOWN_MS;
}

/** Whether a part may hold rows of the guest. A replacement is younger than its rows. */
function isSuspect({ uploaded, customMetadata }: R2Object, { activeSince }: ActiveRequest): boolean {
  return uploaded.getTime() <= activeSince + KNOWN_MS || customMetadata?.stands_for !== undefined;
}

/** The event_ids of the rows that concern the guest of a request. */
async function findRows(
  bucket: Pick<Bucket, 'get'>,
  key: string,
  erasures: ActiveErasures,
  { erasure_id: erasureId }: ActiveRequest,
) {
  const rows = { event_ids: [] as string[], named_in: [] as string[] };
  const part = await bucket.get(key);
  if (part === null) return rows;
  await visitRecords(part.body, (id, line) => {
    const { own, named } = erasuresWanting(line, id, erasures);
    if (own.includes(erasureId)) rows.event_ids.push(formatEventId(id));
    else if (named.includes(erasureId)) rows.named_in.push(formatEventId(id));
  });
  return rows;
}
