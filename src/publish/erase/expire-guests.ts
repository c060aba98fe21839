/**
 * Erasing guests whose retention is over: hour by hour, in key order, every row of every part.
 *
 * Progress is recorded as parts up to a key and log entries up to a sequence. A part added later to an hour that is
 * already processed is found through its entry. Whatever a run throws, the next one continues where it stopped: the
 * metadata of a part rewritten meanwhile say that nothing is left to erase.
 */

import * as v from 'valibot';
import { findLive } from '../../storage/find-live.ts';
import { DAY_MS, EVENTS_PARTITIONS, EXPIRY_KEY, LOG_PREFIX, logKey } from '../../storage/keys.ts';
import { listAll } from '../../storage/many-objects.ts';
import { findLastSequence, readLogEntry } from '../../storage/part-log.ts';
import { readState, swapState } from '../../storage/state.ts';
import { type Budget, createBudget } from '../budget.ts';
import { isOld, type RewriteRun, type RewriteTools, rewriteInTurn, type WantedRewrite } from './rewriting.ts';

const StateSchema = v.object({
  /** The last processed key; empty at the beginning. */
  through: v.string(),
  /** The last processed log entry: no part before it was added to an hour that was already processed. */
  log_sequence: v.number(),
  /** When nothing was left to do, in milliseconds since 1970. */
  idle_since: v.number(),
});

type Expiry = v.InferOutput<typeof StateSchema>;

/** How long to rest after a run that found nothing to do, in milliseconds: looking costs two listings. */
const IDLE_MS = 3_600_000;

/**
 * Runs once.
 *
 * @param keepDays - The retention of a day, in whole days after its end.
 */
export async function expireGuests(tools: RewriteTools, keepDays: number): Promise<RewriteRun> {
  const { bucket, clock, limits } = tools;
  const remedy = 'delete it to have all hours gone through again';
  const { value, ...last } = await readState(bucket, EXPIRY_KEY, StateSchema, remedy);
  if (value !== undefined && clock.now() - value.idle_since < IDLE_MS) return { ended: 'done', parts: 0, rows: 0 };

  return rewriteInTurn(
    tools,
    async () => undefined,
    async (rewriting) => {
      const before: Expiry = value ?? { through: '', log_sequence: await findLastSequence(bucket), idle_since: 0 };
      const budget = createBudget(limits.runParts, limits.runBytes);
      const late = await findLate(tools, before, budget);
      const due = await findDue(tools, before, dayOf(clock.now() - keepDays * DAY_MS), budget);
      if (!(await rewriting.rewrite(unique([...late.wanted, ...due.wanted])))) return 'overtaken';
      const isDone = late.isDone && due.isDone;
      const after: Expiry = {
        through: due.through,
        log_sequence: late.through,
        idle_since: isDone ? clock.now() : 0,
      };
      if ((await swapState(bucket, EXPIRY_KEY, after, last, clock)) === undefined) return 'overtaken';
      return isDone ? 'done' : 'more';
    },
  );
}

/** Parts to rewrite, how far the search came, and whether it reached the end. */
interface Found<Place> {
  readonly wanted: readonly WantedRewrite[];
  readonly through: Place;
  readonly isDone: boolean;
}

/** Parts that were added to hours already processed. */
async function findLate(
  tools: RewriteTools,
  { through, log_sequence: from }: Expiry,
  budget: Budget,
): Promise<Found<number>> {
  const { bucket } = tools;
  const wanted: WantedRewrite[] = [];
  let sequence = from;
  const listed = listAll(bucket, { prefix: LOG_PREFIX, startAfter: logKey(from), include: ['customMetadata'] });
  for await (const { key, customMetadata } of listed) {
    if (!budget.isLeft) return { wanted, through: sequence, isDone: false };
    const next = Number(key.slice(LOG_PREFIX.length, -'.json'.length));
    const mayBeLate = customMetadata?.key === undefined || customMetadata.key <= through;
    const entry = mayBeLate ? await readLogEntry(bucket, next) : undefined;
    // A replacement has the rows of a part already processed, or of one that has an entry of its own here.
    const isLate = entry?.operation === 'add' && entry.key <= through;
    const found = isLate ? await findLive(bucket, entry.key) : undefined;
    if (found !== undefined) {
      if (!isOld(tools, found)) return { wanted, through: sequence, isDone: false };
      wanted.push({ replaces: found.key, event_ids: null, named_in: [], erasure_id: null });
      budget.take(found.size);
    }
    sequence = next;
  }
  return { wanted, through: sequence, isDone: true };
}

/** Parts of days whose retention is over, that is, before the day `before`. */
async function findDue(
  tools: RewriteTools,
  { through: from }: Expiry,
  before: string,
  budget: Budget,
): Promise<Found<string>> {
  const wanted: WantedRewrite[] = [];
  let through = from;
  const listed = listAll(tools.bucket, { prefix: EVENTS_PARTITIONS, startAfter: from, include: ['customMetadata'] });
  for await (const object of listed) {
    const { key, size, customMetadata } = object;
    if (key >= `${EVENTS_PARTITIONS}${before}`) break;
    // Checked before the age: this meets the parts that it rewrote itself a minute ago.
    const isErased =
      customMetadata?.without_guest !== undefined && customMetadata.without_guest === customMetadata.rows;
    if (!isErased) {
      if (!budget.isLeft || !isOld(tools, object)) return { wanted, through, isDone: false };
      wanted.push({ replaces: key, event_ids: null, named_in: [], erasure_id: null });
      budget.take(size);
    }
    through = key;
  }
  return { wanted, through, isDone: true };
}

/** Each part once: a part added late may still be ahead of the listing. */
function unique(wanted: readonly WantedRewrite[]): WantedRewrite[] {
  return [...new Map(wanted.map((each) => [each.replaces, each])).values()];
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
