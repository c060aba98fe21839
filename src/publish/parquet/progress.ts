/** How far columnar objects have come: what no object covers yet, and which object is being written. */

import * as v from 'valibot';
import type { Clock } from '../../storage/clock.ts';
import { readState, swapState } from '../../storage/state.ts';
import type { Bucket } from '../bucket.ts';
import { KEPT } from './guests.ts';
import { PlannedObjectSchema, UncoveredSchema } from './plan.ts';

const PROGRESS_KEY = 'publish/parquet.json';

const ProgressSchema = v.object({
  /** The run that wrote this, which also tells one idle state from the next. */
  run: v.string(),
  /** Until when that run has the work to itself, in milliseconds since 1970; 0 when it has given it back. */
  lease_until: v.number(),
  /** The last entry of the log of parts that has been read. */
  read_through: v.number(),
  /** The last entry of the log of columnar objects. */
  sequence: v.number(),
  uncovered: v.record(v.string(), v.array(UncoveredSchema)),
  /** What the objects show of guests; the mark of openGuests(). */
  guests: v.optional(v.string(), KEPT),
  /** Whether every object shows them so; while it is false, objects are compared and written anew. */
  guests_even: v.optional(v.boolean(), true),
  /** The object that is being written, under the next sequence. */
  open: v.nullable(PlannedObjectSchema),
});

/** How far columnar objects have come. */
export type Progress = v.InferOutput<typeof ProgressSchema>;

const NONE: Progress = {
  run: '',
  lease_until: 0,
  read_through: 0,
  sequence: 0,
  uncovered: {},
  guests: KEPT,
  guests_even: true,
  open: null,
};

/** The progress, as one run reads and changes it. */
export interface HeldProgress {
  readonly value: Progress;
  /** Writes the next state. Returns false when another run has written meanwhile, and this one must stop. */
  write(next: Omit<Progress, 'run'>): Promise<boolean>;
}

/**
 * Reads the progress.
 *
 * @param run - The name of this run.
 * @throws When the object is not what a run has written.
 */
export async function readProgress(
  bucket: Pick<Bucket, 'get' | 'put'>,
  run: string,
  clock: Clock,
): Promise<HeldProgress> {
  const remedy = 'restore it; without it every day would be written a second time';
  const read = await readState(bucket, PROGRESS_KEY, ProgressSchema, remedy);
  let last: Pick<typeof read, 'etag' | 'writtenAt'> = read;
  return {
    value: read.value ?? NONE,
    async write(next) {
      const written = await swapState(bucket, PROGRESS_KEY, { run, ...next }, last, clock);
      last = written ?? last;
      return written !== undefined;
    },
  };
}
