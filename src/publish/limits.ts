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
  /** How many invocations read landing objects, and for how many objects one is worth while. */
  readonly readers: number;
  readonly readerSources: number;
  /** The largest landing object that is read, in bytes. */
  readonly sourceBytes: number;
  /** How many landing objects an invocation reads at once. */
  readonly readsAhead: number;
  /** How many bytes of landing objects are read ahead at most in all invocations, unless one alone is larger. */
  readonly readAheadBytes: number;
  /** How long a run has the publisher to itself after each sign of life, in milliseconds. */
  readonly leaseMs: number;
  /** How many keys are deleted in one call. */
  readonly deleteKeys: number;
}

const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;

/**
 * What holds in production: 128 MB of memory an isolate, which invocations by `ctx.exports` share; for each invocation
 * 10,000 calls and six connections that wait for an answer; 32 invocations for each run of a cron, and 30 s of CPU.
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
  // Each may be read twice, by one of so many readers; in a whole run, 3,400 calls of the 10,000 that each has.
  partSources: 10_000,
  // A part is held in memory until it is written, in one conditional request, so this is what keeps memory flat when
  // rows hardly compress.
  partBytes: 24 * MIB,
  hoursAtOnce: 24,
  hoursAtOnceBytes: 32 * MIB,
  // Together with one last part they stay below the CPU of an invocation, and mostly within the minute until the next.
  runSourceBytes: 320 * MIB,
  runSources: 20_000,
  // 12 read some 600 objects a second. The run itself is one more of the 32 invocations.
  readers: 12,
  readerSources: 50,
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
