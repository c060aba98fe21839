/** The parts in which the search has found the guest. */

import { findRewritable, type Wanted } from './rewriting.ts';
import { changeRecordOf, type EraseStage, withNew } from './work.ts';

/** Rewrites them. One that is too young is waited for. */
export const eraseParts: EraseStage = async (work, request, record) => {
  const { tools, rewriting, budget } = work;
  const { erasure_id } = request;
  const rewritten = new Set(record.parts.map(({ key }) => key));
  const wanted: Wanted[] = [];
  const missing: string[] = [];
  let { done } = record;
  for (const { key, event_ids, named_in } of request.parts.slice(done)) {
    if (!budget.isLeft) break;
    const found = await findRewritable(tools, key);
    if (found === undefined) {
      missing.push(key);
    } else if (!rewritten.has(found.key)) {
      if (!found.isOld) break;
      wanted.push({ replaces: found.key, event_ids, named_in, erasure_id });
      budget.take(found.bytes);
    }
    done += 1;
  }
  if (!(await rewriting.rewrite(wanted))) return undefined;
  return changeRecordOf(work, request, (now) => ({
    missing: withNew(now.missing, missing, (key) => key),
    ...(done < request.parts.length ? { done } : { stage: 'newer_parts', done: 0 }),
  }));
};
