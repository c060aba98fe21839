/**
 * The last run of the table writer, `iceberg/last-run.json`: the only trace when it fails or its cron trigger stops.
 */

import * as v from 'valibot';
import { timestamp, wholeNumber } from '../contract/kinds.ts';

/** Outside the table's prefix, since everything below that belongs to the format. */
export const TABLE_RUN_KEY = 'iceberg/last-run.json';

/** The record of the last run. It is a cache and not the truth: without it, the next run looks again. */
export const TableRunSchema = v.object({
  /** Makes each record differ from the one before. */
  run: v.string(),
  ended_at: timestamp,
  /** How it ended; `failed` when it threw, `overtaken` when another run was at work. */
  ended: v.picklist(['done', 'more', 'overtaken', 'failed']),
  /** When the last run that ended as `done` or `more` ended; null before the first. */
  last_good_at: v.nullable(timestamp),
  /** The log sequence that the current snapshot reflects. */
  log_sequence: wholeNumber,
  /** Up to when the rows of the snapshot are complete; null when not known yet. */
  complete_through: v.nullable(timestamp),
  /** When days were last rewritten and unreferenced objects deleted; null when a run still has to do it. */
  tidied_at: v.nullable(timestamp),
  /** No object of the table, including earlier snapshots, holds rows replaced by a log entry up to this sequence. */
  replaced_through: wholeNumber,
});

export type TableRun = v.InferOutput<typeof TableRunSchema>;
