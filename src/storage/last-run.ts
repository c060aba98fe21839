/** The last run of the publisher, `publish/last-run.json`: the only trace when its cron trigger stops firing. */

import * as v from 'valibot';
import { timestamp } from '../contract/kinds.ts';

/** The record of the last run. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export const LastRunSchema = v.object({
  started_at: timestamp,
  /** How it ended; `failed` when it threw. */
  ended: v.picklist(['done', 'more', 'busy', 'overtaken', 'failed']),
  duration_ms: v.number(),
  rows: v.number(),
  /** Objects of `events/` that it created. */
  objects: v.number(),
  /** When the last run that ended as `done` or `more` started; null before the first. */
  last_good_at: v.nullable(timestamp),
  /** When the oldest unfinished request to erase a guest was made; null when there is none. */
  unfinished_erasure_since: v.nullable(timestamp),
  /** How many consecutive queue readings lacked the age of the oldest message, and since when. */
  readings_without_age: v.number(),
  without_age_since: v.nullable(timestamp),
  /** Which PSEUDONYM_KEY the run used, as identified by `keyCheckOf()`; null without one. */
  pseudonym_key_check: v.nullable(v.string()),
  /** The version of the Worker that ran. */
  version: v.string(),
});

export type LastRun = v.InferOutput<typeof LastRunSchema>;
