/** The fixed numbers of erasing, each with the reason for it. They are passed in, so that tests reach them with little. */

import { LIMITS } from '../limits.ts';

/** What holds in production. Times are in milliseconds, sizes in bytes. */
export const ERASE_LIMITS = {
  leaseMs: LIMITS.leaseMs,
  /**
   * How old a part has to be before it is rewritten. A run takes at most 15 min (Workers, Limits: duration of cron
   * triggers), and what it has asked of R2 may be done a while later. A put that comes late would create an object again
   * that has been replaced and deleted meanwhile.
   */
  minAgeMs: 30 * 60_000,
  /** How many parts are opened for rewriting with one write of the state. */
  partsAtOnce: 16,
  /**
   * A run begins to rewrite, or to search, no more parts than these. Each takes some five calls of 100 ms: most of the
   * minute until the next run, which publishes.
   */
  runParts: 64,
  /**
   * Nor more bytes of gzip. Rewriting a MiB, some 8,000 rows, takes 0.3 s of the 30 s of CPU that a run has, publishing
   * included. One last part of as much may come on top.
   */
  runBytes: 24 * 1024 * 1024,
  /** How many bytes one byte counts for that is searched: to recognise a guest, rows are parsed and identifiers digested. */
  searchWeight: 4,
};

export type EraseLimits = Readonly<typeof ERASE_LIMITS>;
