/** A line of `rejected/`: one refused body. Pure. */

import * as v from 'valibot';

/** The shape of a line of `rejected/`. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export const RejectionSchema = v.object({
  /** UUIDv7 (RFC 9562) made at refusal; the first member, which identifies the line as a rejection. */
  rejection_id: v.string(),
  /** The same millisecond as rejection_id. */
  rejected_at: v.string(),
  sender: v.string(),
  /** The HTTP status of the answer. */
  status: v.number(),
  /** The last part of the problem's `type` in the answer. */
  problem: v.string(),
  /** The reason, more specific than the problem. */
  reason: v.string(),
  /** The faulty fields, by their names in the contract. */
  errors: v.array(v.object({ field: v.string(), code: v.string() })),
  content_type: v.nullable(v.string()),
  /** When not null, `body` still has this encoding. */
  content_encoding: v.nullable(v.string()),
  idempotency_key: v.nullable(v.string()),
  /** 128-bit hex hash of the bytes kept: equal when a sender retries the same body. */
  body_fingerprint: v.string(),
  /** Whether the end of `body` was cut off. */
  truncated: v.boolean(),
  /** How `body` is encoded: text unchanged, or Base64 of bytes that text cannot represent unchanged. */
  body_encoding: v.picklist(['text', 'base64']),
  body: v.string(),
});

export type Rejection = v.InferOutput<typeof RejectionSchema>;
