/** Who is sending: the token in the header against the tokens in the configuration. */

import { sha256, type TokenDigest } from '../token-digest.ts';

/**
 * Finds the sender whose token a request presents. Digests are compared, since comparing in constant time needs equal
 * lengths, and all of them are, so that the time taken tells nothing.
 *
 * @returns The sender's name, or undefined when there is no token or it is not known.
 */
export async function authenticate(headers: Headers, tokens: readonly TokenDigest[]): Promise<string | undefined> {
  const presented = readToken(headers);
  if (presented === undefined) return undefined;
  const digest = await sha256(presented);
  let sender: string | undefined;
  for (const token of tokens) {
    if (crypto.subtle.timingSafeEqual(token.digest, digest)) sender = token.sender;
  }
  return sender;
}

/**
 * The bearer token (RFC 6750) of a request. The contract spells the header `Authentication`; `Authorization` is read
 * when that one is absent. A header that was sent twice arrives as one with a comma and is no token.
 */
function readToken(headers: Headers): string | undefined {
  const header = headers.get('Authentication') ?? headers.get('Authorization') ?? '';
  const token = /^bearer[ \t]+(.+)$/i.exec(header.trim())?.[1]?.trim();
  return token?.replace(/^"(.+)"$/, '$1');
}
