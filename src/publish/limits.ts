/** The limits of publishing, each with the reason for it. They are passed in, so that tests reach them with little. */

import { MAX_DELETE_KEYS } from '../storage/many-objects.ts';

const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;

/**
 * What holds in production: 128 MB of memory an isolate; for each run of a cron six connections that wait for an answer,
 * and the calls and the CPU that `[limits]` in wrangler.toml sets. All three are counted from the top: a Worker that is
 * called from here would share them (Workers, Limits). Times are in milliseconds, sizes in bytes.
 */
export const LIMITS = {
  /** How long a row may wait in `landing/` before it is published. What is configured takes the place of this. */
  publishAfterMs: 5 * MINUTE_MS,
  /** How long the last rows of an hour are waited for, to share a part: a batch (60 s), and some time to write it. */
  lastRowsMs: 1.5 * MINUTE_MS,
  /** How long a row may wait at most when its hour is over: a batch and a slow request fit in several times. */
  settleMs: 5 * MINUTE_MS,
  /**
   * How much of one hour goes into one part, as landed. Rows take about 1 kB there and an eighth of that in gzip. An hour
   * that has gathered so much is not waited for.
   */
  partSourceBytes: 160 * MIB,
  /**
   * How many landing objects go into one part: what the lease outlives. Each may be read twice, in 40 ms with five at once
   * at 200 ms a call: 200 s of the 300. Looking for repeats and entering the log have the rest.
   */
  partSources: 2_500,
  /**
   * When a part is closed whatever is left to read, in bytes of gzip. It is held in memory until it is written, in one
   * conditional request, so this is what keeps memory flat when rows hardly compress.
   */
  partBytes: 24 * MIB,
  /** Of how many hours parts are made at once, and how much as landed goes into them unless one alone has more. */
  hoursAtOnce: 24,
  hoursAtOnceBytes: 32 * MIB,
  /**
   * A run begins no part beyond this. Together with one last part it stays below the CPU of an invocation, and mostly
   * within the minute until the next.
   */
  runSourceBytes: 320 * MIB,
  /**
   * Nor beyond so many landing objects: more are gathered first. Together with one last wave, each read twice, they take
   * 11,000 calls of the 20,000 that wrangler.toml sets as the limit, and at 200 ms a call 8 minutes of the 15 that a run
   * has.
   */
  runSources: 3_000,
  /** How many objects one consumer gathers at least. */
  gatherLeast: 20,
  /** And at most: five seconds of reading at 100 ms a call, with the six connections of an invocation. */
  gatherSources: 300,
  /** How much one consumer gathers. Its text, the lines of it and what is written take some 30 MB of the 128. */
  gatherBytes: 8 * MIB,
  /** The largest object that is gathered. Larger ones are few, and gain nothing. */
  gatherSourceBytes: 256 * 1024,
  /** How many objects a run looks at to have them gathered: 100 listings, 10 to 20 s of them. */
  gatherObjects: 100_000,
  /** How many requests to gather are sent in one call, which takes 256 KB (Queues, Limits); 300 names are 13. */
  requestsAtOnce: 15,
  /**
   * How long objects that are being gathered are left alone. 400 requests are carried out in a minute by 50 consumers, and
   * in 35 by one; what is left then is asked for anew.
   */
  gatherMs: 10 * MINUTE_MS,
  /** The largest landing object that is read; the largest that landing writes is 100 lines of 128,000 bytes. */
  sourceBytes: 16 * MIB,
  /** How many landing objects are read at once. Six connections are allowed, and one is left for the rest. */
  readsAhead: 5,
  /** How much of landing objects is read ahead at most, unless one alone is larger. */
  readAheadBytes: 8 * MIB,
  /** How long a run has the publisher to itself after each sign of life: several times what a part takes. */
  leaseMs: 5 * MINUTE_MS,
  /** How many keys are deleted in one call. */
  deleteKeys: MAX_DELETE_KEYS,
};

export type Limits = Readonly<typeof LIMITS>;
