/** The watermark: up to when `events/` is complete. */

import * as v from 'valibot';
import { timestamp } from '../contract/kinds.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** What `events/v1/_watermark.json` says. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export const WatermarkSchema = v.object({
  /** Every event received before this moment is in `events/`, or in `dead-letter/`. */
  complete_through: timestamp,
  /** How many events lie in `dead-letter/` that were received before it, in whole hours, and were not replayed. */
  dead_letters: count,
  /** How many messages lie in `dead-letter/` that are no events; no replay changes that. */
  foreign_messages: v.optional(count, 0),
  /** How many events were published after the watermark had passed them, replayed dead letters left aside. */
  late_events: v.optional(count, 0),
  /** When the last of them was published; null when there was none. */
  last_late_at: v.optional(v.nullable(timestamp), null),
  /** What was received before `complete_through` is in the parts that the log has up to this sequence. */
  log_sequence: v.optional(count, 0),
  /** When the publisher wrote this, which it does in every run. */
  updated_at: timestamp,
});

/** What `events/v1/_watermark.json` says. */
export type Watermark = v.InferOutput<typeof WatermarkSchema>;
