/**
 * Keyed digests: equal texts have equal ones, and without the key nobody can tell whether a guess is right. The key is
 * the secret PSEUDONYM_KEY.
 */

import { createHmac } from 'node:crypto';

/** Digests a text: 128 bits, as 32 lower-case hexadecimal digits. */
export type KeyedDigest = (text: string) => string;

/** HMAC-SHA-256 (RFC 2104) has 64 hexadecimal digits; half of them tell any number of guests apart. */
const DIGITS = 32;

/** Prepares digesting with a key. */
export function createKeyedDigest(key: string): KeyedDigest {
  // The digest of the Web needs a promise for each text.
  return (text) => createHmac('sha256', key).update(text).digest('hex').slice(0, DIGITS);
}

/** What tells one key from another without giving it away: kept with digests, so that they are compared with their own. */
export function keyCheckOf(digest: KeyedDigest): string {
  return digest('key_check:');
}
