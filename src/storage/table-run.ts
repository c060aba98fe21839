/** The last run of the table's writer, `iceberg/last-run.json`: when its clock stops or it fails, nothing else tells. */

import * as v from 'valibot';
import { timestamp } from '../contract/kinds.ts';
import { readState } from './state.ts';

/** Where it lies: beside the table, since what lies in it belongs to the format. */
export const TABLE_RUN_KEY = 'iceberg/last-run.json';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** What the last run has left behind. It is what is known and not what holds: without it, the next run looks again. */
export const TableRunSchema = v.object({
  /** Tells one record from the next. */
  run: v.string(),
  ended_at: timestamp,
  /** How it ended; `failed` when it threw, `overtaken` when another run was at work. */
  ended: v.picklist(['done', 'more', 'overtaken', 'failed']),
  /** When the last run ended that ended as `done` or `more`; null when there was none yet. */
  last_good_at: v.nullable(timestamp),
  /** What the current snapshot is in line with. */
  log_sequence: count,
  /** Up to when its rows are complete; null when that is not known yet. */
  complete_through: v.nullable(timestamp),
  /** When days were last rewritten and objects deleted that no snapshot names; null when a run has to do it. */
  tidied_at: v.nullable(timestamp),
  /** No object of the table, be it of a former snapshot, holds rows that an entry up to this sequence has replaced. */
  replaced_through: count,
});

export type TableRun = v.InferOutput<typeof TableRunSchema>;

/**
 * Whether an object of the table, be it of a former snapshot, may still hold rows of a part that the log has replaced.
 *
 * @param sequence - An entry of the log, the one that replaces the part or a later one.
 */
export async function tableShows(bucket: Pick<R2Bucket, 'get' | 'list'>, sequence: number): Promise<boolean> {
  const { value } = await readState(bucket, TABLE_RUN_KEY, TableRunSchema);
  if (value !== undefined) return value.replaced_through < sequence;
  // Without a record there is no table, or none that a run has gone through since.
  return (await bucket.list({ prefix: 'iceberg/', limit: 1 })).objects.length > 0;
}
