/**
 * The register: one object that says which run has the publisher to itself, and which journal is open. It changes only
 * from the state that was read (compare and swap by ETag), so of several runs one goes on and the others see it.
 */

import * as v from 'valibot';
import type { Bucket } from './bucket.ts';
import { type Journal, JournalSchema } from './journal.ts';
import { LEASE_MS, WRITE_INTERVAL_MS } from './limits.ts';

const REGISTER_KEY = 'publish/register.json';

const RegisterSchema = v.object({
  /** The run that wrote this. It also tells one idle state from the next, whose ETag would be the same without it. */
  run: v.string(),
  /** Until when that run has the lease, in milliseconds since 1970; 0 when it has given it back. */
  lease_until: v.number(),
  journal: v.nullable(JournalSchema),
});

type State = v.InferOutput<typeof RegisterSchema>;

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
  const object = await bucket.get(REGISTER_KEY);
  const state = object === null ? undefined : parse(await object.text());
  let etag = object?.etag;
  let writtenAt = object?.uploaded.getTime() ?? 0;
  let held = false;

  async function write(next: State): Promise<boolean> {
    const rest = writtenAt + WRITE_INTERVAL_MS - clock.now();
    if (rest > 0) await clock.wait(Math.min(rest, WRITE_INTERVAL_MS));
    const written = await bucket.put(REGISTER_KEY, JSON.stringify(next), {
      onlyIf: etag === undefined ? { etagDoesNotMatch: '*' } : { etagMatches: etag },
      httpMetadata: { contentType: 'application/json' },
    });
    if (written === null) return false;
    etag = written.etag;
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

function parse(text: string): State {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), RegisterSchema), text);
  if (parsed.success) return parsed.output;
  throw new Error(
    `Cannot read ${REGISTER_KEY}: it is not what a run has written; restore it, or delete it when no run is under way`,
  );
}
