/** The watermark: up to when `events/` is complete. */

import * as v from 'valibot';
import { timestamp } from '../contract/kinds.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** What `events/v1/_watermark.json` says. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export const WatermarkSchema = v.object({
  /** Every event received before this moment is in `events/`. */
  complete_through: timestamp,
  /** How many unrecognised messages lie in `dead-letter/`; no replay changes that. */
  unrecognised_messages: count,
  /** How many events were published after the watermark had passed them. */
  late_events: count,
  /** When the last of them was published; null when there was none. */
  last_late_at: v.nullable(timestamp),
  /** What was received before `complete_through` is in the parts that the log has up to this sequence. */
  log_sequence: count,
  /** When the publisher wrote this, which it does in every run. */
  updated_at: timestamp,
});

export type Watermark = v.InferOutput<typeof WatermarkSchema>;
