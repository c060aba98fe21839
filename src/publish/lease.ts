/**
 * The lease: one object that says which run has exclusive use of the publisher, which parts it has open, and how far
 * the part log was known to go when they were opened.
 */

import * as v from 'valibot';
import type { Bucket } from '../storage/bucket.ts';
import type { Clock } from '../storage/clock.ts';
import { readState, swapState } from '../storage/state.ts';
import { logError } from '../telemetry/log.ts';
import type { BeingGathered } from './ask-to-gather.ts';
import type { Limits } from './limits.ts';
import { type Manifest, PlannedPartSchema } from './manifest.ts';

const LEASE_KEY = 'publish/lease.json';

const LeaseSchema = v.object({
  /** The run that wrote this. It also makes consecutive idle states differ, whose ETags would otherwise be equal. */
  run: v.string(),
  /** When the lease of that run expires, in milliseconds since 1970; 0 when it was released. */
  lease_until: v.number(),
  /** The open parts, and how many runs have had them open. */
  parts: v.array(PlannedPartSchema),
  attempts: v.number(),
  /** The log is complete up to this entry, and none of the open parts is in it. */
  log_sequence: v.number(),
  gathering: v.array(v.object({ partition: v.string(), from: v.string(), through: v.string(), until: v.number() })),
});

type LeaseState = v.InferOutput<typeof LeaseSchema>;

export interface Lease {
  readonly busy: boolean;
  /** The parts that an earlier run left open. */
  readonly left: Manifest;
  /** How far the last run knew the log to go; undefined before the first run. */
  readonly logSequence: number | undefined;
  /** The objects being gathered; stored with the next write. */
  gathering: readonly BeingGathered[];
  /**
   * Takes or renews the lease and opens parts, closing those that were open before.
   *
   * @returns Whether it was written. If not, another run has taken over and this one must stop.
   */
  open(manifest: Manifest, logSequence: number): Promise<boolean>;
  /** Whether no other run has taken over so far. The lease may be lost by the time the answer arrives. */
  isHeld(): Promise<boolean>;
  /** Closes the parts and releases the lease if this run ever held it. */
  close(logSequence: number): Promise<boolean>;
}

export const NOTHING_OPEN: Manifest = { parts: [], attempts: 0 };

const REMEDY = 'delete it as "lease unreadable" in docs/operating.md says';

/**
 * The hours of the open parts, `dt=YYYY-MM-DD/hour=HH`. An open part may exist already and still lack its entry in the
 * log.
 */
export async function openPartitions(bucket: Pick<Bucket, 'get'>): Promise<string[]> {
  const { value } = await readState(bucket, LEASE_KEY, LeaseSchema, REMEDY);
  return value?.parts.map(({ partition }) => partition) ?? [];
}

/**
 * Reads the lease.
 *
 * @param run - The name of this run, which has to do its work within releaseOnError().
 * @throws When the object was not written by a run.
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
 * Does the work of a run. When the work throws, the lease is released if this run holds it, so that the next run need
 * not wait for it to expire. Parts stay open: the next run finishes them, as after a run that was killed.
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

/** Reads the lease again, since a write that threw may have succeeded all the same. */
async function release(bucket: Pick<Bucket, 'get' | 'put'>, run: string, clock: Clock): Promise<void> {
  const { value, ...last } = await readState(bucket, LEASE_KEY, LeaseSchema, REMEDY);
  if (value?.run === run && value.lease_until > 0) {
    await swapState(bucket, LEASE_KEY, { ...value, lease_until: 0 }, last, clock);
  }
}
