/** The fixed numbers of columnar objects, each with the reason for it. */

import type { ObjectLimits } from './plan.ts';

/** What bounds a run. */
export interface ParquetLimits extends ObjectLimits {
  readonly runRows: number;
  readonly groupRows: number;
  readonly logEntries: number;
  readonly leaseMs: number;
}

/** The limits of production. */
export const PARQUET_LIMITS: ParquetLimits = {
  /**
   * Rows in one object, which is gathered in memory: some 70 bytes a row, and as much again when it is finished. One part
   * alone may have more, and never much more than 200,000.
   */
  objectRows: 75_000,
  /** Parts in one object: each is a call to R2, and 1,000 is what the day of a small sender comes to three times over. */
  objectParts: 1_000,
  /**
   * A run begins no object beyond so many rows. It writes some 35,000 rows a second of CPU; cron triggers have 30 s
   * (Workers, Limits), of which most is left for slower machines.
   */
  runRows: 150_000,
  /**
   * Rows in a row group, which are held as values until they are encoded. Readers skip whole groups by their
   * statistics; larger ones compress better and take more memory.
   */
  groupRows: 5_000,
  /** Entries of the log of parts that one run reads; a busy day has some 2,000. */
  logEntries: 2_000,
  /** How long what comes late waits for company, in milliseconds. */
  lateMs: 3_600_000,
  /** How long a run has the work to itself, in milliseconds: longer than a cron trigger may take (15 min). */
  leaseMs: 16 * 60_000,
};
