/** A new token. */

import { createHash, randomBytes } from 'node:crypto';

/** The random bytes of a token: 256 bits, as many as its digest has. */
const TOKEN_BYTES = 32;

/** Makes a token of 43 characters, and its digest as the list and the secrets hold it. */
export function newToken(): { token: string; digest: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, digest: `sha256:${createHash('sha256').update(token).digest('hex')}` };
}
