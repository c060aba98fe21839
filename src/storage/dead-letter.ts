/** A line of `dead-letter/`: an unrecognised message, that is, one that is not a valid record. Pure. */

import * as v from 'valibot';

/** The shape of a line of `dead-letter/`. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export const DeadLetterSchema = v.object({
  message_id: v.string(),
  /** The queue that last delivered the message. */
  queue: v.string(),
  /** Deliveries by that queue. */
  attempts: v.number(),
  enqueued_at: v.string(),
  dead_lettered_at: v.string(),
  /**
   * How `body` is encoded: text unchanged, a value as JSON, bytes as Base64, or, for any other value, only a
   * description of its kind.
   */
  body_encoding: v.picklist(['text', 'json', 'base64', 'description']),
  body: v.string(),
});

export type DeadLetter = v.InferOutput<typeof DeadLetterSchema>;
