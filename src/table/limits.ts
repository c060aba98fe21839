/** The fixed numbers of the table, each with the reason for it. They are passed in, so that tests reach them with little. */

/** What bounds a run and what it writes. */
export interface TableLimits {
  /** No data file gets further parts beyond this, in bytes of rows as packed. */
  readonly fileBytes: number;
  /** A part is cut beyond this, in bytes as packed. */
  readonly splitBytes: number;
  /** A file of half as many rows is joined with no other. */
  readonly fileRows: number;
  /** Ranges of sequences in one file: they are kept in the metadata of the object. */
  readonly fileRanges: number;
  readonly groupRows: number;
  readonly runRows: number;
  readonly runParts: number;
  readonly stepRows: number;
  readonly stepParts: number;
  readonly logEntries: number;
  readonly manifestEntries: number;
  readonly manifestsMerged: number;
  readonly tidyMs: number;
  readonly snapshotMs: number;
  readonly snapshots: number;
  readonly erasedMs: number;
  readonly versions: number;
  readonly versionMs: number;
  readonly attemptMs: number;
}

const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The limits of production. */
export const TABLE_LIMITS: TableLimits = {
  // Packed, a full row takes some 500 bytes. They are in memory until they are sorted and written.
  fileBytes: 10 * MIB,
  splitBytes: 15 * MIB,
  fileRows: 30_000,
  // R2 keeps 8,192 bytes of metadata with an object (R2, Limits); a range takes at most 16.
  fileRanges: 400,
  // Readers skip whole groups by their statistics; larger ones compress better and take more memory.
  groupRows: 5_000,
  // A run begins nothing beyond these: what a queue takes at most in two minutes, 5,000 events a second. It writes some
  // 45,000 rows a second of CPU; cron triggers have 30 s (Workers, Limits), of which half is left for slower machines. Each
  // part is two calls to R2 or three, of 10,000 that there are.
  runRows: 600_000,
  runParts: 2_000,
  // No step takes on more than these, unless one part or file alone has more.
  stepRows: 100_000,
  stepParts: 500,
  // Entries of the log of parts that one run reads; a busy day has some 2,000.
  logEntries: 2_000,
  // Data files that one manifest names: some 40 kB.
  manifestEntries: 100,
  // How many manifests are joined with what is rewritten at most.
  manifestsMerged: 8,
  // How often days are rewritten, late rows folded in and objects deleted that no snapshot names.
  tidyMs: HOUR_MS,
  snapshotMs: 24 * HOUR_MS,
  snapshots: 20,
  // How long snapshots stay that show what was erased: a query may be running that reads them.
  erasedMs: HOUR_MS,
  // Former versions of the metadata, as other writers of Iceberg keep them (write.metadata.previous-versions-max).
  versions: 100,
  versionMs: HOUR_MS,
  // How old an object is at least that is deleted because no snapshot names it: longer than a cron trigger may take (15 min).
  attemptMs: 20 * MINUTE_MS,
};
