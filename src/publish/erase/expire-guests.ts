/**
 * Erasing guests whose time is over: hour by hour, in the order of keys, every row of every part.
 *
 * What is behind is done: parts up to a key, and entries of the log up to a sequence. A part that comes late to an hour
 * that is done is found by its entry. Whatever a run throws, the next one takes up where it stopped: a part that was
 * rewritten meanwhile says in its metadata that nothing is left to erase.
 */

import * as v from 'valibot';
import { EVENTS_PARTITIONS, EXPIRY_KEY, LOG_PREFIX, logKey } from '../../storage/keys.ts';
import { listAll } from '../../storage/many-objects.ts';
import { findLastSequence, readLogEntry } from '../../storage/part-log.ts';
import { readState, swapState } from '../../storage/state.ts';
import { type Budget, createBudget } from '../budget.ts';
import { findLive } from './find-live.ts';
import { isOld, type RewriteRun, type RewriteTools, rewriteInTurn, type Wanted } from './rewriting.ts';

const StateSchema = v.object({
  /** The last key that is done; empty at the beginning. */
  through: v.string(),
  /** The last entry of the log that is done: no part before it has come to an hour that was done already. */
  log_sequence: v.number(),
  /** When nothing was left to do; milliseconds since 1970. */
  idle_since: v.number(),
});

type Expiry = v.InferOutput<typeof StateSchema>;

const DAY_MS = 86_400_000;

/** How long a run that has nothing to do is enough, in milliseconds: looking costs two listings. */
const IDLE_MS = 3_600_000;

/**
 * Runs once.
 *
 * @param keepDays - A day counts as over when this number of whole days has passed since its end.
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

/** Parts to rewrite, how far the search came, and whether it came to the end. */
interface Found<Place> {
  readonly wanted: readonly Wanted[];
  readonly through: Place;
  readonly isDone: boolean;
}

/** Parts that have come to hours that are done. */
async function findLate(
  tools: RewriteTools,
  { through, log_sequence: from }: Expiry,
  budget: Budget,
): Promise<Found<number>> {
  const { bucket } = tools;
  const wanted: Wanted[] = [];
  let sequence = from;
  const listed = listAll(bucket, { prefix: LOG_PREFIX, startAfter: logKey(from), include: ['customMetadata'] });
  for await (const { key, customMetadata } of listed) {
    if (!budget.isLeft) return { wanted, through: sequence, isDone: false };
    const next = Number(key.slice(LOG_PREFIX.length, -'.json'.length));
    const mayBeLate = customMetadata?.key === undefined || customMetadata.key <= through;
    const entry = mayBeLate ? await readLogEntry(bucket, next) : undefined;
    // What replaces a part has the rows of one that is done, or of one that has an entry of its own here.
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

/** Parts of days that are over, `before` a day. */
async function findDue(
  tools: RewriteTools,
  { through: from }: Expiry,
  before: string,
  budget: Budget,
): Promise<Found<string>> {
  const wanted: Wanted[] = [];
  let through = from;
  const listed = listAll(tools.bucket, { prefix: EVENTS_PARTITIONS, startAfter: from, include: ['customMetadata'] });
  for await (const object of listed) {
    const { key, size, customMetadata } = object;
    if (key >= `${EVENTS_PARTITIONS}${before}`) break;
    // Before its age: this meets the parts that it has rewritten itself a minute ago.
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

/** Each part once: one that came late may lie before the place that a listing has come to. */
function unique(wanted: readonly Wanted[]): Wanted[] {
  return [...new Map(wanted.map((each) => [each.replaces, each])).values()];
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
