/** Reads the sender's identifier of a delivery from the headers of a request. */

/** Headers that identify a delivery: Idempotency-Key, then those of Standard Webhooks and CloudEvents (binary mode). */
export const DELIVERY_NAMES = ['Idempotency-Key', 'webhook-id', 'ce-id'] as const;

/** The first of {@link DELIVERY_NAMES} that is not blank, without surrounding blanks. Null when there is none. */
export function idempotencyKeyOf(headers: Headers): string | null {
  for (const name of DELIVERY_NAMES) {
    const key = headers.get(name)?.trim();
    if (key) return key;
  }
  return null;
}
