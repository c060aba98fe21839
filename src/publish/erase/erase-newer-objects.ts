/** The objects of `rejected/`, `dead-letter/` and `unreadable/` that were written since the search began. */

import { listAll } from '../../storage/list-all.ts';
import { type Removed, removeLines } from './remove-lines.ts';
import { isOld } from './rewriting.ts';
import { withoutWanted } from './wanted-lines.ts';
import { change, type Stage, withNew } from './work.ts';

/** How far the clock of the search may be from that of R2, in milliseconds. */
const CLOCKS_APART_MS = 5 * 60_000;

/** In the order of keys. */
const PREFIXES = ['dead-letter/dt=', 'rejected/dt=', 'unreadable/'] as const;

/** Searches the objects that were written since, and removes the lines that tell of the guest. */
export const eraseNewerObjects: Stage = async (work, request, record) => {
  const { tools, budget } = work;
  const { bucket, limits } = tools;
  const from = Date.parse(request.searched_from) - CLOCKS_APART_MS;
  const removed: Removed[] = [];
  let searched = record.searched ?? '';
  let isWhole = true;
  for (const prefix of PREFIXES) {
    if (!budget.isLeft) isWhole = false;
    if (!isWhole) break;
    for await (const { key, uploaded, size } of listAll(bucket, {
      prefix,
      ...(searched > prefix && { startAfter: searched }),
    })) {
      if (uploaded.getTime() < from) continue;
      if (!budget.isLeft) {
        isWhole = false;
        break;
      }
      budget.take(size * limits.searchWeight);
      const object = await bucket.get(key);
      if (object !== null) {
        const left = await withoutWanted(new Uint8Array(await object.arrayBuffer()), key, work.erasures);
        if (left.removed > 0 && !isOld(tools, object)) {
          isWhole = false;
          break;
        }
        if (left.removed > 0) removed.push(await removeLines(bucket, object, left, request.erasure_id));
      }
      searched = key;
    }
  }
  return change(work, request, (now) => ({
    objects: withNew(now.objects, removed, ({ replaces }) => replaces),
    ...(isWhole ? { stage: 'table', done: 0 } : { done: now.done + 1, searched }),
  }));
};
