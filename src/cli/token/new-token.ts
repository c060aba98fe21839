/** Creates tokens and computes their digests. */

import { createHash, randomBytes } from 'node:crypto';
import { TOKEN_DIGEST } from '../../senders/sender.ts';

/** Random bytes of a token: 256 bits, as many as its digest has. */
const TOKEN_BYTES = 32;

/** Creates a token of 43 characters, and its digest as stored in the list and the secrets. */
export function newToken(): { token: string; digest: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, digest: digestOf(token) };
}

/** The digest of a token in its canonical form, `sha256:` and lower-case hex. Also accepts a digest. */
export function digestOf(token: string): string {
  return TOKEN_DIGEST.test(token)
    ? token.toLowerCase()
    : `sha256:${createHash('sha256').update(token.trim()).digest('hex')}`;
}
