/** The watermark: up to when `events/` is complete. */

import * as v from 'valibot';
import { timestamp, wholeNumber } from '../contract/kinds.ts';

/** What `events/v1/_watermark.json` says. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export const WatermarkSchema = v.object({
  /** Every event received before this moment is in `events/`. */
  complete_through: timestamp,
  /** Number of unrecognised messages in `dead-letter/`. */
  unrecognised_messages: wholeNumber,
  /** Number of events published after the watermark had passed them. */
  late_events: wholeNumber,
  /** When the last late event was published; null when there was none. */
  last_late_at: v.nullable(timestamp),
  /** Everything received before `complete_through` is in the parts up to this sequence of the log. */
  log_sequence: wholeNumber,
  /** When the publisher wrote this; it does so in every run. */
  updated_at: timestamp,
});

export type Watermark = v.InferOutput<typeof WatermarkSchema>;
