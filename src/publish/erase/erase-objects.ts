/** The objects of `rejected/`, `dead-letter/` and `unreadable/` in which the search has found the guest. */

import { findRemoved, type Removed, removeLines } from './remove-lines.ts';
import { isOld } from './rewriting.ts';
import { withoutLines } from './wanted-lines.ts';
import { change, type Stage, withNew } from './work.ts';

/**
 * Removes the lines. When another erasure has removed some of its own from the same object meanwhile, what was found is
 * in the one that is left, which is newer than the search and is searched later.
 */
export const eraseObjects: Stage = async (work, request, record) => {
  const { bucket } = work.tools;
  const removed: Removed[] = [];
  let { done } = record;
  for (const { key, lines } of request.objects.slice(done)) {
    if (!work.budget.isLeft) break;
    const object = await bucket.get(key);
    if (object === null) {
      removed.push(await findRemoved(bucket, key, lines.length, request.erasure_id));
    } else {
      if (!isOld(work.tools, object)) break;
      const left = withoutLines(new Uint8Array(await object.arrayBuffer()), new Set(lines));
      removed.push(await removeLines(bucket, object, left, request.erasure_id));
    }
    work.budget.take(object?.size ?? 0);
    done += 1;
  }
  return change(work, request, (now) => ({
    objects: withNew(now.objects, removed, ({ replaces }) => replaces),
    ...(done < request.objects.length ? { done } : { stage: 'newer_parts', done: 0 }),
  }));
};
