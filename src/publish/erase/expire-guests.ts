/**
 * Erasing guests whose time is over: hour by hour, in the order of keys, every row of every part.
 *
 * What is behind is done: parts up to a key, and entries of the log up to a sequence. A part that comes late to an hour
 * that is done is found by its entry. Whatever a run throws, the next one takes up where it stopped: a part that was
 * rewritten meanwhile says in its metadata that nothing is left to erase.
 */

import * as v from 'valibot';
import { uuidv7 } from '../../storage/event-id.ts';
import { EVENTS_PARTITIONS, EXPIRY_KEY, LOG_PREFIX, logKey } from '../../storage/keys.ts';
import { listAll } from '../../storage/list-all.ts';
import { LogEntrySchema } from '../../storage/log-entry.ts';
import { findLastSequence } from '../../storage/part-log.ts';
import { readState, swapState } from '../../storage/state.ts';
import { releaseOnError } from '../lease.ts';
import { type Budget, createBudget } from './budget.ts';
import { beginRewriting, findRewritable, isOld, type RewriteTools, type Wanted } from './rewriting.ts';

const StateSchema = v.object({
  /** The last key that is done; empty at the beginning. */
  through: v.string(),
  /** The last entry of the log that is done: no part before it has come to an hour that was done already. */
  log_sequence: v.number(),
  /** When nothing was left to do; milliseconds since 1970. */
  idle_since: v.number(),
});

type Expiry = v.InferOutput<typeof StateSchema>;

export interface ExpiryRun {
  /** `busy`: another run is at work. `overtaken`: another run went on. `more`: the next run goes on. */
  readonly ended: 'done' | 'more' | 'busy' | 'overtaken';
  /** Parts that were rewritten, and rows that were erased in them. */
  readonly parts: number;
  readonly rows: number;
}

const DAY_MS = 86_400_000;

/** How long a run that has nothing to do is enough, in milliseconds: looking costs two listings. */
const IDLE_MS = 3_600_000;

/**
 * Runs once.
 *
 * @param keepDays - A day counts as over when this number of whole days has passed since its end.
 */
export async function expireGuests(tools: RewriteTools, keepDays: number): Promise<ExpiryRun> {
  const run = uuidv7();
  return releaseOnError(tools.bucket, run, tools.clock, () => expireInTurn(tools, run, keepDays));
}

async function expireInTurn(tools: RewriteTools, run: string, keepDays: number): Promise<ExpiryRun> {
  const { bucket, clock, limits } = tools;
  const done = { parts: 0, rows: 0 };
  const remedy = 'delete it to have all hours gone through again';
  const { value, ...last } = await readState(bucket, EXPIRY_KEY, StateSchema, remedy);
  if (value !== undefined && clock.now() - value.idle_since < IDLE_MS) return { ended: 'done', ...done };

  const rewriting = await beginRewriting(tools, run, async (rewritten) => {
    done.parts += rewritten.filter(({ erased }) => erased > 0).length;
    done.rows += rewritten.reduce((rows, { erased }) => rows + erased, 0);
  });
  if (rewriting === undefined) return { ended: 'busy', ...done };
  const before: Expiry = value ?? { through: '', log_sequence: await findLastSequence(bucket), idle_since: 0 };
  const budget = createBudget(limits);
  const late = await findLate(tools, before, budget);
  const due = await findDue(tools, before, dayOf(clock.now() - keepDays * DAY_MS), budget);
  if (!(await rewriting.rewrite(unique([...late.wanted, ...due.wanted])))) return { ended: 'overtaken', ...done };

  const isDone = late.isDone && due.isDone;
  const after: Expiry = {
    through: due.through,
    log_sequence: late.through,
    idle_since: isDone ? clock.now() : 0,
  };
  const written = await swapState(bucket, EXPIRY_KEY, after, last, clock);
  await rewriting.close();
  if (written === undefined) return { ended: 'overtaken', ...done };
  return { ended: isDone ? 'done' : 'more', ...done };
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
    const part = customMetadata?.key;
    if (part === undefined || part <= through) {
      const entry = v.parse(v.pipe(v.string(), v.parseJson(), LogEntrySchema), await (await bucket.get(key))?.text());
      // What replaces a part has the rows of one that is done, or of one that has an entry of its own here.
      const isLate = entry.replaces === null && entry.key <= through;
      const found = isLate ? await findRewritable(tools, entry.key) : undefined;
      if (found !== undefined) {
        if (!found.isOld) return { wanted, through: sequence, isDone: false };
        wanted.push({ replaces: found.key, event_ids: null, named_in: [], erasure_id: null });
        budget.take(found.bytes);
      }
    }
    sequence = Number(key.slice(LOG_PREFIX.length, -'.json'.length));
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

/** The day of a moment, `YYYY-MM-DD` in UTC. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
