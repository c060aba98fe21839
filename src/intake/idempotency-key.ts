/** The sender's own name for a delivery. */

/** Reads Idempotency-Key, or the webhook-id of the Standard Webhooks specification. */
export function idempotencyKeyOf(headers: Headers): string | null {
  const key = headers.get('Idempotency-Key')?.trim() || headers.get('webhook-id')?.trim();
  return key || null;
}
