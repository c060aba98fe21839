/** What the headers of a request say: the sender's name for a delivery, and where it comes from. */

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

/** The groups of an IPv6 address that name a network; anyone in it can choose the other four. */
const NETWORK_GROUPS = 4;
const ALL_GROUPS = 8;

/**
 * The network that a request came from: the address that Cloudflare saw (`CF-Connecting-IP`; what a sender writes there
 * does not reach the Worker), of an IPv6 address the first 64 bits (RFC 4291 section 2.5.4).
 */
export function networkOf(headers: Headers): string {
  const address = headers.get('CF-Connecting-IP') ?? '';
  if (!address.includes(':')) return address;
  const [left = [], right = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(Math.max(0, ALL_GROUPS - left.length - right.length)).fill('0');
  return `${[...left, ...zeros, ...right].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
