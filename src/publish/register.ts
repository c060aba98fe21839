/**
 * The register: one object that says which run has the publisher to itself, and which journal is open.
 */

import * as v from 'valibot';
import type { Bucket } from './bucket.ts';
import { type Journal, JournalSchema } from './journal.ts';
import { LEASE_MS, WRITE_INTERVAL_MS } from './limits.ts';
import { readState, writeState } from './state.ts';

const REGISTER_KEY = 'publish/register.json';

const RegisterSchema = v.object({
  /** The run that wrote this. It also tells one idle state from the next, whose ETag would be the same without it. */
  run: v.string(),
  /** Until when that run has the lease, in milliseconds since 1970; 0 when it has given it back. */
  lease_until: v.number(),
  journal: v.nullable(JournalSchema),
});

type RegisterState = v.InferOutput<typeof RegisterSchema>;

/** Time, as a run sees it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  wait(milliseconds: number): Promise<unknown>;
}

/** The register as one run sees it. */
export interface Register {
  /** The journal that an earlier run left open, or null. */
  readonly journal: Journal | null;
  /** Whether another run has the lease. */
  readonly busy: boolean;
  /**
   * Takes or renews the lease and opens a journal, which closes the one before.
   *
   * @returns Whether it is written. If not, another run has gone on, and this one must stop.
   */
  open(journal: Journal): Promise<boolean>;
  /** Closes the journal and gives the lease back, if this run ever had it. */
  close(): Promise<boolean>;
}

/**
 * Reads the register.
 *
 * @param run - The name of this run.
 * @throws When the register is not what a run has written.
 */
export async function readRegister(bucket: Bucket, run: string, clock: Clock): Promise<Register> {
  const remedy = 'restore it, or delete it when no run is under way';
  const { value: state, ...read } = await readState(bucket, REGISTER_KEY, RegisterSchema, remedy);
  let { etag, writtenAt } = read;
  let held = false;

  async function write(next: RegisterState): Promise<boolean> {
    const rest = writtenAt + WRITE_INTERVAL_MS - clock.now();
    if (rest > 0) await clock.wait(Math.min(rest, WRITE_INTERVAL_MS));
    const written = await writeState(bucket, REGISTER_KEY, next, etag);
    if (written === undefined) return false;
    etag = written;
    writtenAt = clock.now();
    return true;
  }

  return {
    journal: state?.journal ?? null,
    busy: state !== undefined && state.lease_until > clock.now(),
    async open(journal) {
      held = await write({ run, lease_until: clock.now() + LEASE_MS, journal });
      return held;
    },
    close: () => (held ? write({ run, lease_until: 0, journal: null }) : Promise.resolve(true)),
  };
}
