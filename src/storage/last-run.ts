/** The last run of the publisher, `publish/last-run.json`: when the clock stops, nothing else tells. */

import * as v from 'valibot';
import { timestamp } from '../contract/kinds.ts';

/** What the last run has left behind. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export const LastRunSchema = v.object({
  started_at: timestamp,
  /** How it ended; `failed` when it threw. */
  ended: v.picklist(['done', 'more', 'busy', 'overtaken', 'failed']),
  duration_ms: v.number(),
  rows: v.number(),
  /** Objects of `events/` that it created. */
  objects: v.number(),
  /** When the last run started that ended as `done` or `more`; null when there was none yet. */
  last_good_at: v.nullable(timestamp),
  /** When the oldest request to erase a guest was made that is not finished; null when all are, or there is none. */
  unfinished_erasure_since: v.nullable(timestamp),
  /** How many readings of the queue in a row did not say since when its oldest message waits, and since when. */
  readings_without_age: v.number(),
  without_age_since: v.nullable(timestamp),
  /** Which PSEUDONYM_KEY it had, as `keyCheckOf()` tells keys apart; null without one. */
  pseudonym_key_check: v.nullable(v.string()),
  /** The version of the Worker that ran. */
  version: v.string(),
});

export type LastRun = v.InferOutput<typeof LastRunSchema>;
