/** A refused body as it is kept in `rejected/`: one line each. Pure. */

import * as v from 'valibot';

/** The shape of a line of `rejected/`. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export const RejectionSchema = v.object({
  /** UUIDv7 (RFC 9562) made at refusal; the first member, by which a line is known. */
  rejection_id: v.string(),
  /** The same millisecond as rejection_id. */
  rejected_at: v.string(),
  sender: v.string(),
  /** The HTTP status of the answer. */
  status: v.number(),
  /** The last part of the problem's `type` in the answer. */
  problem: v.string(),
  /** Why, more closely than the problem says. */
  reason: v.string(),
  /** The faults of fields, by the contract's names. */
  errors: v.array(v.object({ field: v.string(), code: v.string() })),
  content_type: v.nullable(v.string()),
  /** When it is not null, `body` is still encoded so. */
  content_encoding: v.nullable(v.string()),
  idempotency_key: v.nullable(v.string()),
  /** 128-bit hex hash of the bytes that are kept: equal when a sender tries the same body again. */
  body_fingerprint: v.string(),
  /** Whether bytes are missing at the end of `body`. */
  truncated: v.boolean(),
  /** How to read `body`: a text as it was, or the Base64 of bytes that no text holds unchanged. */
  body_encoding: v.picklist(['text', 'base64']),
  body: v.string(),
});

export type Rejection = v.InferOutput<typeof RejectionSchema>;
