/** The limits of the table, each with its reason. They are passed in so that tests can reach them with little data. */

const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The limits of production: the bounds of a run and of what it writes. */
export const TABLE_LIMITS = {
  /**
   * The most that a data file holds, in bytes of packed rows: it gets no further parts, and a larger part is split.
   * Packed, a full row takes some 500 bytes. Rows stay in memory until they are sorted and written.
   */
  fileBytes: 10 * MIB,
  /** A file with at least half as many rows is not merged with others. */
  fileRows: 30_000,
  /**
   * Ranges of sequences in one file: they are stored in the metadata of the object. R2 keeps 8,192 bytes of metadata
   * with an object (R2, Limits); a range takes at most 16.
   */
  fileRanges: 400,
  /** Readers skip whole groups by their statistics; larger groups compress better and take more memory. */
  groupRows: 5_000,
  /**
   * A run begins nothing beyond these: what a queue accepts in two minutes at 5,000 events a second. It writes at least
   * 45,000 rows per second of CPU: 13 s of the 60 s that `[limits]` in wrangler.toml allows, since other machines are
   * slower. Each part takes two or three calls to R2, of the 20,000 allowed.
   */
  runRows: 600_000,
  runParts: 2_000,
  /** No step takes more than these, unless a single part or file has more. */
  stepRows: 100_000,
  stepParts: 500,
  /** Entries of the part log that one run reads; a busy day has some 2,000. */
  logEntries: 2_000,
  /** Data files named by one manifest: some 40 kB. */
  manifestEntries: 100,
  /** How many manifests are merged with rewritten ones at most. */
  manifestsMerged: 8,
  /** How often days are rewritten, late rows merged into them and unreferenced objects deleted. */
  tidyMs: HOUR_MS,
  snapshotMs: 24 * HOUR_MS,
  snapshots: 20,
  /** How long snapshots that show erased rows are kept: a running query may still read them. */
  erasedMs: HOUR_MS,
  /** Earlier versions of the metadata, as other writers of Iceberg keep them (write.metadata.previous-versions-max). */
  versions: 100,
  versionMs: HOUR_MS,
  /** Minimum age of an unreferenced object before it is deleted: longer than a cron trigger may take (15 min). */
  attemptMs: 20 * MINUTE_MS,
};

export type TableLimits = Readonly<typeof TABLE_LIMITS>;
