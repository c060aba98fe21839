/** A message that could not be landed, as it is kept in `dead-letter/`: one line each. Pure. */

import * as v from 'valibot';

/** The shape of a line of `dead-letter/`. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export const DeadLetterSchema = v.object({
  message_id: v.string(),
  /** The queue that delivered the message last. */
  queue: v.string(),
  /** Deliveries by that queue. */
  attempts: v.number(),
  enqueued_at: v.string(),
  buried_at: v.string(),
  /** Whether a line could not be written for too long, or the message was no line of ours. */
  reason: v.picklist(['attempts_exhausted', 'not_a_line']),
  /** How to read `body`: a text as it was, the Base64 of bytes, or the JSON of any other value. */
  body_encoding: v.picklist(['text', 'base64', 'json']),
  body: v.string(),
});

/** A message that could not be landed. */
export type DeadLetter = v.InferOutput<typeof DeadLetterSchema>;
