/** A new token, and the digest of any. */

import { createHash, randomBytes } from 'node:crypto';
import { TOKEN_DIGEST } from '../../senders/sender.ts';

/** The random bytes of a token: 256 bits, as many as its digest has. */
const TOKEN_BYTES = 32;

/** Makes a token of 43 characters, and its digest as the list and the secrets hold it. */
export function newToken(): { token: string; digest: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, digest: digestOf(token) };
}

/** The digest of a token, or the digest that it is, as it is written everywhere: `sha256:` and lower case. */
export function digestOf(token: string): string {
  return TOKEN_DIGEST.test(token)
    ? token.toLowerCase()
    : `sha256:${createHash('sha256').update(token.trim()).digest('hex')}`;
}
