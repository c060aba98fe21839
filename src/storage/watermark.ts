/** The watermark: up to when `events/` is complete. */

import * as v from 'valibot';
import { timestamp } from '../contract/kinds.ts';

/** What `events/v1/_watermark.json` says. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export const WatermarkSchema = v.object({
  /** Every event received before this moment is in `events/`, or in `dead-letter/`. */
  complete_through: timestamp,
  /** How many messages lie in `dead-letter/` that were received before it, in whole hours. */
  dead_letters: v.number(),
  updated_at: v.string(),
});

/** What `events/v1/_watermark.json` says. */
export type Watermark = v.InferOutput<typeof WatermarkSchema>;
