/** A message that is no line of ours, as it is kept in `dead-letter/`: one line each. Pure. */

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
  /** `attempts_exhausted`: a line, which earlier versions gave up after 100 attempts in each queue. */
  reason: v.picklist(['not_a_line', 'attempts_exhausted']),
  /**
   * How to read `body`: a text as it was, the Base64 of bytes, the JSON of a value, what `parse()` of the npm package
   * devalue reads, or, when the value could not be read whole, no more than its type.
   */
  body_encoding: v.picklist(['text', 'base64', 'json', 'devalue', 'description']),
  body: v.string(),
});

/** A message that is no line of ours. */
export type DeadLetter = v.InferOutput<typeof DeadLetterSchema>;
