/**
 * The lease: one object that says which run has the publisher to itself, which parts it has open, and how far the log
 * of published parts was known to go when they were opened.
 */

import * as v from 'valibot';
import { readState, writeState } from '../storage/state.ts';
import type { Bucket } from './bucket.ts';
import type { Limits } from './limits.ts';
import { type Manifest, PlannedPartSchema } from './manifest.ts';

/** Named by the first version. All versions that may be at work side by side have to contend for the same object. */
const LEASE_KEY = 'publish/register.json';

const LeaseSchema = v.object({
  /** The run that wrote this. It also tells one idle state from the next, whose ETag would be the same without it. */
  run: v.string(),
  /** Until when that run has the lease, in milliseconds since 1970; 0 when it has given it back. */
  lease_until: v.number(),
  /**
   * Null when nothing is open. Versions before the log keep their one open part here. They know no other place, so it
   * is left out while parts are open: such a version then stops, where it would otherwise begin parts beside them.
   */
  journal: v.nullish(PlannedPartSchema, null),
  parts: v.optional(v.array(PlannedPartSchema), []),
  attempts: v.optional(v.number(), 1),
  /** Missing when a version before the log wrote this: parts may have come that the log does not have. */
  log: v.optional(
    v.object({
      /** The log has all entries up to this one, and none of the open parts is among them. */
      sequence: v.number(),
      /** Parts up to this key have an entry, those from before the log too; null when all have. */
      backfilled_through: v.nullable(v.string()),
    }),
  ),
});

type LeaseState = v.InferOutput<typeof LeaseSchema>;

/** How far the log of published parts is known to go. */
export type LogState = NonNullable<LeaseState['log']>;

/** Time, as a run sees it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  wait(milliseconds: number): Promise<unknown>;
}

/** The lease as one run sees it. */
export interface Lease {
  /** Whether another run has it. */
  readonly busy: boolean;
  /** What an earlier run left open. */
  readonly left: Manifest;
  /** What the last run knew of the log; undefined when it knew nothing. */
  readonly log: LogState | undefined;
  /**
   * Takes or renews the lease and opens parts, which closes those before.
   *
   * @returns Whether it is written. If not, another run has gone on, and this one must stop.
   */
  open(manifest: Manifest, log: LogState): Promise<boolean>;
  /** Whether no other run has gone on up to this moment. It may be over by the time that this is known. */
  isHeld(): Promise<boolean>;
  /** Closes the parts and gives the lease back, if this run ever had it. */
  close(log: LogState): Promise<boolean>;
}

const REMEDY = 'restore it, or delete it when no run is under way';

/**
 * The hours of the parts that are open, `dt=YYYY-MM-DD/hour=HH`. One that is created already has no entry in the log
 * before it is closed.
 */
export async function openPartitions(bucket: Pick<Bucket, 'get'>): Promise<string[]> {
  const { value: state } = await readState(bucket, LEASE_KEY, LeaseSchema, REMEDY);
  return [...(state?.journal ? [state.journal] : []), ...(state?.parts ?? [])].map(({ partition }) => partition);
}

/**
 * Reads the lease.
 *
 * @param run - The name of this run.
 * @throws When the object is not what a run has written.
 */
export async function readLease(
  bucket: Pick<Bucket, 'head' | 'get' | 'put'>,
  run: string,
  clock: Clock,
  limits: Pick<Limits, 'leaseMs' | 'writeIntervalMs'>,
): Promise<Lease> {
  const { value: state, ...read } = await readState(bucket, LEASE_KEY, LeaseSchema, REMEDY);
  let { etag, writtenAt } = read;
  let held = false;

  async function write(next: object): Promise<boolean> {
    const rest = writtenAt + limits.writeIntervalMs - clock.now();
    if (rest > 0) await clock.wait(Math.min(rest, limits.writeIntervalMs));
    const written = await writeState(bucket, LEASE_KEY, next, etag);
    if (written === undefined) return false;
    etag = written;
    writtenAt = clock.now();
    return true;
  }

  const parts = [...(state?.journal ? [state.journal] : []), ...(state?.parts ?? [])];
  return {
    busy: state !== undefined && state.lease_until > clock.now(),
    left: { parts, attempts: state?.attempts ?? 1 },
    log: state?.log,
    async open({ parts, attempts }, log) {
      const idle = parts.length === 0 ? { journal: null } : {};
      held = await write({ run, lease_until: clock.now() + limits.leaseMs, ...idle, parts, attempts, log });
      return held;
    },
    async isHeld() {
      return held && (await bucket.head(LEASE_KEY))?.etag === etag;
    },
    close: (log) =>
      held ? write({ run, lease_until: 0, journal: null, parts: [], attempts: 0, log }) : Promise.resolve(true),
  };
}
