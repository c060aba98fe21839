/** The limits of erasing, each with its reason. They are passed in so that tests can reach them with little data. */

import { LIMITS } from '../limits.ts';

/** The limits of production. Times are in milliseconds, sizes in bytes. */
export const ERASE_LIMITS = {
  leaseMs: LIMITS.leaseMs,
  /**
   * How old a part has to be before it is rewritten. A run takes at most 15 min (Workers, Limits: duration of cron
   * triggers), and R2 may carry out its calls a while later. A delayed put would recreate an object that was replaced
   * and deleted meanwhile.
   */
  minAgeMs: 30 * 60_000,
  /** How many parts are opened for rewriting with one write of the state. */
  partsAtOnce: 16,
  /**
   * Maximum number of parts that a run begins to rewrite or to search. Each takes some five calls of 100 ms: most of
   * the minute until the next run, which publishes.
   */
  runParts: 64,
  /**
   * The same in bytes of gzip. Rewriting a MiB, some 8,000 rows, takes 0.3 s of the 60 s of CPU that a run has, including
   * publishing (`[limits]` in wrangler.toml). One last part of the same size may come on top.
   */
  runBytes: 24 * 1024 * 1024,
  /** How many bytes one searched byte counts as: to recognise a guest, rows are parsed and identifiers digested. */
  searchWeight: 4,
};

export type EraseLimits = Readonly<typeof ERASE_LIMITS>;
