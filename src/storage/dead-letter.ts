/** An unrecognised message, one that is no valid record, as it is kept in `dead-letter/`: one line each. Pure. */

import * as v from 'valibot';

/** The shape of a line of `dead-letter/`. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export const DeadLetterSchema = v.object({
  message_id: v.string(),
  /** The queue that delivered the message last. */
  queue: v.string(),
  /** Deliveries by that queue. */
  attempts: v.number(),
  enqueued_at: v.string(),
  dead_lettered_at: v.string(),
  /**
   * How to read `body`: a text as it was, the JSON of a value, the Base64 of bytes, or, of any other value, no more than
   * its kind.
   */
  body_encoding: v.picklist(['text', 'json', 'base64', 'description']),
  body: v.string(),
});

export type DeadLetter = v.InferOutput<typeof DeadLetterSchema>;
