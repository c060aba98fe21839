/**
 * Rewriting parts, under the lease of the publisher. This can be repeated from any point, and by two runs concurrently:
 * - the plan is stored first, with the key of the new part and where the log ended, so that the run that continues
 *   creates the same part and looks for its entry from there;
 * - the new part is created, then appended to the log as the replacement of the old one, and only then is the old one
 *   deleted: a reader of the log has each event once at every moment;
 * - nothing else is begun before that is finished.
 */

import * as v from 'valibot';
import type { KeyedDigest } from '../../guests/digest.ts';
import type { Bucket } from '../../storage/bucket.ts';
import type { Clock } from '../../storage/clock.ts';
import { uuidv7 } from '../../storage/event-id.ts';
import { eventsKey, partitionIn, REWRITES_KEY } from '../../storage/keys.ts';
import { createPartLog, type PartLog } from '../../storage/part-log.ts';
import { readState, swapState } from '../../storage/state.ts';
import { NOTHING_OPEN, readLease, releaseOnError } from '../lease.ts';
import { toEntry } from '../part-facts.ts';
import type { EraseLimits } from './limits.ts';
import { createRewritten, findRewritten, type Rewrite, RewriteSchema } from './rewrite-part.ts';

const StateSchema = v.object({
  /** The run that wrote this, which also makes consecutive idle states differ. */
  run: v.string(),
  open: v.array(RewriteSchema),
});

const REMEDY = 'restore it: the parts that it names may be there twice';

export interface RewriteTools {
  readonly bucket: Bucket;
  readonly digest: KeyedDigest;
  readonly clock: Clock;
  readonly limits: EraseLimits;
}

export type WantedRewrite = Pick<Rewrite, 'replaces' | 'event_ids' | 'named_in' | 'erasure_id'>;

export interface Rewritten extends Rewrite {
  /** How many rows were erased; 0 when there was nothing to erase and the part is unchanged. */
  readonly erased: number;
}

/** Receives what was rewritten before it counts as finished; it may receive the same again. */
type Note = (rewritten: readonly Rewritten[]) => Promise<void>;

/** The lease is held, and nothing is being rewritten. */
export interface Rewriting {
  /**
   * Rewrites parts, which must exist, be old enough and each be named once.
   *
   * @returns False when another run has taken over and this one must stop.
   */
  rewrite(wanted: readonly WantedRewrite[]): Promise<boolean>;
  close(): Promise<void>;
}

export interface RewriteRun {
  /** `busy`: another run is active. `overtaken`: another run took over. `more`: the next run continues. */
  readonly ended: 'done' | 'more' | 'busy' | 'overtaken';
  /** Rewritten parts, and rows erased in them. */
  readonly parts: number;
  readonly rows: number;
}

/** Does the work of a run that rewrites parts. Whatever it throws, the next run continues where it stopped. */
export async function rewriteInTurn(
  tools: RewriteTools,
  note: Note,
  work: (rewriting: Rewriting) => Promise<RewriteRun['ended']>,
): Promise<RewriteRun> {
  const run = uuidv7();
  let [parts, rows] = [0, 0];
  const noteAndCount: Note = async (rewritten) => {
    await note(rewritten);
    parts += rewritten.filter(({ erased }) => erased > 0).length;
    rows += rewritten.reduce((sum, { erased }) => sum + erased, 0);
  };
  return releaseOnError(tools.bucket, run, tools.clock, async () => {
    const rewriting = await beginRewriting(tools, run, noteAndCount);
    if (rewriting === undefined) return { ended: 'busy', parts, rows };
    const ended = await work(rewriting);
    await rewriting.close();
    return { ended, parts, rows };
  });
}

/**
 * Takes the lease and finishes what an earlier run was rewriting.
 *
 * @param run - The name of this run, which has to do its work within releaseOnError().
 * @returns Undefined when another run is active, or none has published yet; the next run tries again.
 */
export async function beginRewriting(
  { bucket, digest, clock, limits }: RewriteTools,
  run: string,
  note: Note,
): Promise<Rewriting | undefined> {
  const lease = await readLease(bucket, run, clock, limits);
  const { logSequence } = lease;
  // A part that is not in the log yet would still get an `add` entry, even if it had been replaced by then.
  if (lease.busy || lease.left.parts.length > 0 || logSequence === undefined) return undefined;
  let log = createPartLog(bucket, logSequence, clock);
  const renew = () => lease.open(NOTHING_OPEN, log.sequence);
  if (!(await renew())) return undefined;

  const { value: state, ...read } = await readState(bucket, REWRITES_KEY, StateSchema, REMEDY);
  let last: Pick<typeof read, 'etag' | 'writtenAt'> = read;

  async function write(open: readonly Rewrite[]): Promise<boolean> {
    const written = await swapState(bucket, REWRITES_KEY, { run, open }, last, clock);
    last = written ?? last;
    return written !== undefined;
  }

  async function carryOut(open: readonly Rewrite[]): Promise<boolean> {
    const rewritten: Rewritten[] = [];
    for (const each of open) {
      rewritten.push({ ...each, erased: await rewriteOne(bucket, log, each, digest) });
    }
    await note(rewritten);
    return write([]);
  }

  const left = state?.open ?? [];
  if (left.length > 0) {
    const from = Math.min(logSequence, ...left.map(({ sequence }) => sequence));
    log = createPartLog(bucket, from, clock);
    if (!(await carryOut(left))) return undefined;
  }
  return {
    async rewrite(wanted) {
      for (let at = 0; at < wanted.length; at += limits.partsAtOnce) {
        const { sequence } = log;
        const open = wanted.slice(at, at + limits.partsAtOnce).map((each) => ({
          ...each,
          key: eventsKey(partitionIn(each.replaces) ?? '', uuidv7()),
          sequence,
        }));
        if (!(await renew()) || !(await write(open)) || !(await carryOut(open))) return false;
      }
      return true;
    },
    async close() {
      await lease.close(log.sequence);
    },
  };
}

/** @returns How many rows were erased. */
async function rewriteOne(bucket: Bucket, log: PartLog, rewrite: Rewrite, digest: KeyedDigest): Promise<number> {
  const { key, replaces } = rewrite;
  const made = (await findRewritten(bucket, key)) ?? (await createRewritten(bucket, rewrite, digest));
  if (made === undefined) return 0;
  await log.append(toEntry(key, made.facts, replaces));
  await bucket.delete(replaces);
  return made.erased;
}

/** Whether an object may be replaced: no run can be active any more that might create it again. */
export function isOld(
  { clock, limits }: Pick<RewriteTools, 'clock' | 'limits'>,
  { uploaded }: Pick<R2Object, 'uploaded'>,
): boolean {
  return clock.now() - uploaded.getTime() >= limits.minAgeMs;
}
