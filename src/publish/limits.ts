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
  /** A run begins no part beyond these. */
  readonly runSourceBytes: number;
  readonly runSources: number;
  /** A run begins to add no entry for a part from before the log beyond these: how many, and their bytes of gzip. */
  readonly backfillParts: number;
  readonly backfillBytes: number;
  /** The largest landing object that is read, in bytes. */
  readonly sourceBytes: number;
  /** How many landing objects are read at once. */
  readonly readsAhead: number;
  /** How many bytes of landing objects are read ahead at most, unless one alone is larger. */
  readonly readAheadBytes: number;
  /** How long a run has the publisher to itself after each sign of life, in milliseconds. */
  readonly leaseMs: number;
  /** The least time between two writes of the same object, in milliseconds. */
  readonly writeIntervalMs: number;
  /** How many keys are deleted in one call. */
  readonly deleteKeys: number;
}

const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;

/** What holds in production: 128 MB of memory an isolate, 10,000 calls an invocation and 30 s of CPU. */
export const LIMITS: Limits = {
  // What is configured takes the place of this.
  publishAfterMs: 5 * MINUTE_MS,
  // The wait of a batch (60 s), and some time to write it.
  lastRowsMs: 1.5 * MINUTE_MS,
  // The wait of a batch and the way of a slow request fit in several times.
  settleMs: 5 * MINUTE_MS,
  // Rows take about 1 kB in landing and an eighth of that in gzip. An hour that has gathered so much is not waited for.
  partSourceBytes: 160 * MIB,
  // Each may be read twice.
  partSources: 2_000,
  // A part is held in memory until it is written, in one conditional request, so this is what keeps memory flat when
  // rows hardly compress.
  partBytes: 24 * MIB,
  // Together with one last part they stay below the calls and the CPU of an invocation.
  runSourceBytes: 320 * MIB,
  runSources: 2_500,
  backfillParts: 200,
  backfillBytes: 64 * MIB,
  // The largest that landing writes is 100 lines of 128,000 bytes.
  sourceBytes: 16 * MIB,
  // Six connections are allowed, and one is left for the rest.
  readsAhead: 5,
  readAheadBytes: 8 * MIB,
  // Several times what a part takes.
  leaseMs: 5 * MINUTE_MS,
  // R2 takes one write a second for each key; this leaves a little room.
  writeIntervalMs: 1_100,
  // The limit of R2.
  deleteKeys: 1_000,
};
