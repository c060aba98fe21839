/**
 * Keyed digests: equal texts have equal digests, and without the key nobody can verify a guess. The key is the secret
 * PSEUDONYM_KEY.
 */

import { createHmac } from 'node:crypto';

/** Digests a text to 128 bits, as 32 lower-case hexadecimal digits. */
export type KeyedDigest = (text: string) => string;

/** HMAC-SHA-256 (RFC 2104) has 64 hexadecimal digits; half of them are enough to distinguish any number of guests. */
const DIGITS = 32;

export function createKeyedDigest(key: string): KeyedDigest {
  // Web Crypto would need a promise for each text.
  return (text) => createHmac('sha256', key).update(text).digest('hex').slice(0, DIGITS);
}

/** Identifies a key without revealing it: stored with digests, so that only digests of the same key are compared. */
export function keyCheckOf(digest: KeyedDigest): string {
  return digest('key_check:');
}
