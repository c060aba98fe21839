/** The sender's own name for a delivery, in the headers of a request. */

/** The names of a delivery: Idempotency-Key, then those of Standard Webhooks and of CloudEvents (binary mode). */
export const DELIVERY_NAMES = ['Idempotency-Key', 'webhook-id', 'ce-id'] as const;

/** Reads the sender's own name of the delivery: the first that is there and not blank. */
export function idempotencyKeyOf(headers: Headers): string | null {
  for (const name of DELIVERY_NAMES) {
    const key = headers.get(name)?.trim();
    if (key) return key;
  }
  return null;
}
