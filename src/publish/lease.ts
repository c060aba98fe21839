/**
 * The lease: one object that says which run has the publisher to itself, which parts it has open, and how far the log
 * of published parts was known to go when they were opened.
 */

import * as v from 'valibot';
import type { Clock } from '../storage/clock.ts';
import { readState, swapState } from '../storage/state.ts';
import { logError } from '../telemetry/log.ts';
import type { BeingGathered } from './ask-to-gather.ts';
import type { Bucket } from './bucket.ts';
import type { Limits } from './limits.ts';
import { type Manifest, PlannedPartSchema } from './manifest.ts';

const LEASE_KEY = 'publish/lease.json';

const LeaseSchema = v.object({
  /** The run that wrote this. It also tells one idle state from the next, whose ETag would be the same without it. */
  run: v.string(),
  /** Until when that run has the lease, in milliseconds since 1970; 0 when it has given it back. */
  lease_until: v.number(),
  /** What is open, and how many runs have had it open. */
  parts: v.array(PlannedPartSchema),
  attempts: v.number(),
  /** The log has all entries up to this one, and none of the open parts is among them. */
  log_sequence: v.number(),
  gathering: v.array(v.object({ partition: v.string(), from: v.string(), through: v.string(), until: v.number() })),
});

type LeaseState = v.InferOutput<typeof LeaseSchema>;

export interface Lease {
  readonly busy: boolean;
  /** What an earlier run left open. */
  readonly left: Manifest;
  /** How far the last run knew the log to go; undefined when there was no run yet. */
  readonly logSequence: number | undefined;
  /** The objects that are being gathered, which is written down with whatever is written next. */
  gathering: readonly BeingGathered[];
  /**
   * Takes or renews the lease and opens parts, which closes those before.
   *
   * @returns Whether it is written. If not, another run has gone on, and this one must stop.
   */
  open(manifest: Manifest, logSequence: number): Promise<boolean>;
  /** Whether no other run has gone on up to this moment. It may be over by the time that this is known. */
  isHeld(): Promise<boolean>;
  /** Closes the parts and gives the lease back, if this run ever had it. */
  close(logSequence: number): Promise<boolean>;
}

export const NOTHING_OPEN: Manifest = { parts: [], attempts: 0 };

const REMEDY = 'restore it, or delete it when no run is under way';

/**
 * The hours of the parts that are open, `dt=YYYY-MM-DD/hour=HH`. One that is created already has no entry in the log
 * before it is closed.
 */
export async function openPartitions(bucket: Pick<Bucket, 'get'>): Promise<string[]> {
  const { value } = await readState(bucket, LEASE_KEY, LeaseSchema, REMEDY);
  return value?.parts.map(({ partition }) => partition) ?? [];
}

/**
 * Reads the lease.
 *
 * @param run - The name of this run, whose work is done within releaseOnError().
 * @throws When the object is not what a run has written.
 */
export async function readLease(
  bucket: Pick<Bucket, 'head' | 'get' | 'put'>,
  run: string,
  clock: Clock,
  { leaseMs }: Pick<Limits, 'leaseMs'>,
): Promise<Lease> {
  const { value, ...read } = await readState(bucket, LEASE_KEY, LeaseSchema, REMEDY);
  let last: Pick<typeof read, 'etag' | 'writtenAt'> = read;
  let held = false;

  async function write(next: Omit<LeaseState, 'gathering'>): Promise<boolean> {
    const gathering = [...lease.gathering];
    const written = await swapState(bucket, LEASE_KEY, { ...next, gathering }, last, clock);
    last = written ?? last;
    return written !== undefined;
  }

  const lease: Lease = {
    busy: value !== undefined && value.lease_until > clock.now(),
    left: { parts: value?.parts ?? [], attempts: value?.attempts ?? 0 },
    logSequence: value?.log_sequence,
    gathering: value?.gathering ?? [],
    async open({ parts, attempts }, log_sequence) {
      held = await write({ run, lease_until: clock.now() + leaseMs, parts: [...parts], attempts, log_sequence });
      return held;
    },
    async isHeld() {
      return held && (await bucket.head(LEASE_KEY))?.etag === last.etag;
    },
    async close(log_sequence) {
      return !held || write({ run, lease_until: 0, parts: [], attempts: 0, log_sequence });
    },
  };
  return lease;
}

/**
 * Does the work of a run. When it throws, the lease is given back, if this run has it, so that the next run need not wait
 * until it is over. What is open stays open: the next run finishes it, as after one that was killed.
 *
 * @param run - The name under which the run reads the lease.
 * @throws What the work throws.
 */
export async function releaseOnError<Done>(
  bucket: Pick<Bucket, 'get' | 'put'>,
  run: string,
  clock: Clock,
  work: () => Promise<Done>,
): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    await release(bucket, run, clock).catch((cause: unknown) => logError('lease_kept', cause));
    throw error;
  }
}

/** It reads the lease anew: what has thrown may have written it all the same. */
async function release(bucket: Pick<Bucket, 'get' | 'put'>, run: string, clock: Clock): Promise<void> {
  const { value, ...last } = await readState(bucket, LEASE_KEY, LeaseSchema, REMEDY);
  if (value?.run === run && value.lease_until > 0) {
    await swapState(bucket, LEASE_KEY, { ...value, lease_until: 0 }, last, clock);
  }
}
