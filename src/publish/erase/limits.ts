/** The fixed numbers of erasing, each with the reason for it. They are passed in, so that tests reach them with little. */

import { LIMITS, type Limits } from '../limits.ts';

/** How much of each is taken on at once. */
export interface EraseLimits extends Pick<Limits, 'leaseMs'> {
  /** How old a part has to be before it is rewritten, and an object before lines are removed, in milliseconds. */
  readonly minAgeMs: number;
  /** How many parts are opened for rewriting with one write of the state. */
  readonly partsAtOnce: number;
  /** A run begins to rewrite, or to search, no part beyond these: how many, and their bytes of gzip. */
  readonly runParts: number;
  readonly runBytes: number;
  /** How many bytes one byte counts for that is searched. */
  readonly searchWeight: number;
}

const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;

/** What holds in production. */
export const ERASE_LIMITS: EraseLimits = {
  leaseMs: LIMITS.leaseMs,
  // A run takes at most 15 min (Workers, Limits: duration of cron triggers), and what it has asked of R2 may be done a
  // while later. A put that comes late would create an object again that has been replaced and deleted meanwhile.
  minAgeMs: 30 * MINUTE_MS,
  partsAtOnce: 16,
  // Some five calls of 100 ms for each part: most of the minute until the next run, which publishes.
  runParts: 64,
  // Rewriting a MiB of gzip, some 8,000 rows, takes 0.3 s of the 30 s of CPU that a run has, publishing included. One
  // last part of as much may come on top.
  runBytes: 24 * MIB,
  // To recognise a guest, rows are parsed and each identifier is digested.
  searchWeight: 4,
};
