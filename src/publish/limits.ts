/** The limits of publishing, each with the reason for it. They are passed in, so that tests reach them with little. */

/** How much of each is taken on at once. */
export interface Limits {
  /** How long a row may wait in `landing/` before it is published, in milliseconds. */
  readonly publishAfterMs: number;
  /** How long rows are waited for when an hour is over, so that its last ones share a part. In milliseconds. */
  readonly lastRowsMs: number;
  /** How long a row may wait at most when its hour is over, in milliseconds. */
  readonly settleMs: number;
  /** How much of one hour goes into one part, in bytes as landed. */
  readonly partSourceBytes: number;
  /** How many landing objects go into one part. */
  readonly partSources: number;
  /** When a part is closed whatever is left to read, in bytes of gzip. */
  readonly partBytes: number;
  /** Of how many hours parts are made at once, and how many bytes as landed go into them unless one alone has more. */
  readonly hoursAtOnce: number;
  readonly hoursAtOnceBytes: number;
  /** A run begins no part beyond these. */
  readonly runSourceBytes: number;
  readonly runSources: number;
  /** How many objects one consumer gathers, at least and at most, and how many bytes of them. */
  readonly gatherLeast: number;
  readonly gatherSources: number;
  readonly gatherBytes: number;
  /** The largest object that is gathered, in bytes. */
  readonly gatherSourceBytes: number;
  /** How many objects a run looks at to have them gathered. */
  readonly gatherObjects: number;
  /** How many requests to gather are sent in one call. */
  readonly requestsAtOnce: number;
  /** How long objects that are being gathered are left alone, in milliseconds. */
  readonly gatherMs: number;
  /** The largest landing object that is read, in bytes. */
  readonly sourceBytes: number;
  /** How many landing objects are read at once. */
  readonly readsAhead: number;
  /** How many bytes of landing objects are read ahead at most, unless one alone is larger. */
  readonly readAheadBytes: number;
  /** How long a run has the publisher to itself after each sign of life, in milliseconds. */
  readonly leaseMs: number;
  /** How many keys are deleted in one call. */
  readonly deleteKeys: number;
}

const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;

/**
 * What holds in production: 128 MB of memory an isolate; for each run of a cron six connections that wait for an answer,
 * and the calls and the CPU that `[limits]` in wrangler.toml sets. All three are counted from the top: a Worker that is
 * called from here would share them (Workers, Limits).
 */
export const LIMITS: Limits = {
  // What is configured takes the place of this.
  publishAfterMs: 5 * MINUTE_MS,
  // The wait of a batch (60 s), and some time to write it.
  lastRowsMs: 1.5 * MINUTE_MS,
  // The wait of a batch and the way of a slow request fit in several times.
  settleMs: 5 * MINUTE_MS,
  // Rows take about 1 kB in landing and an eighth of that in gzip. An hour that has gathered so much is not waited for.
  partSourceBytes: 160 * MIB,
  // What the lease outlives: each may be read twice, in 40 ms with five at once at 200 ms a call: 200 s of
  // the 300. Looking for repeats and entering the log have the rest.
  partSources: 2_500,
  // A part is held in memory until it is written, in one conditional request, so this is what keeps memory flat when
  // rows hardly compress.
  partBytes: 24 * MIB,
  hoursAtOnce: 24,
  hoursAtOnceBytes: 32 * MIB,
  // Together with one last part they stay below the CPU of an invocation, and mostly within the minute until the next.
  runSourceBytes: 320 * MIB,
  // More are gathered first. Together with one last wave, each read twice, they take 11,000 calls of the 20,000 that
  // wrangler.toml sets as the limit, and at 200 ms a call 8 minutes of the 15 that a run has.
  runSources: 3_000,
  gatherLeast: 20,
  // Five seconds of reading at 100 ms a call, with the six connections of an invocation.
  gatherSources: 300,
  // Its text, the lines of it and what is written are in memory together: some 30 MB of the 128.
  gatherBytes: 8 * MIB,
  // Larger ones are few, and gain nothing.
  gatherSourceBytes: 256 * 1024,
  // 100 listings, 10 to 20 s of them.
  gatherObjects: 100_000,
  // A call takes 256 KB (Queues, Limits), and a request of 300 names is 13.
  requestsAtOnce: 15,
  // 400 requests are carried out in a minute by 50 consumers, and in 35 by one; what is left then is asked for anew.
  gatherMs: 10 * MINUTE_MS,
  // The largest that landing writes is 100 lines of 128,000 bytes.
  sourceBytes: 16 * MIB,
  // Six connections are allowed, and one is left for the rest.
  readsAhead: 5,
  readAheadBytes: 8 * MIB,
  // Several times what a part takes.
  leaseMs: 5 * MINUTE_MS,
  // The limit of R2.
  deleteKeys: 1_000,
};
