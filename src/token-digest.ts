/** Tokens, of which nothing but a digest is kept in memory. */

/** A configured token, of which only the digest is kept. */
export interface TokenDigest {
  /** The name of whoever holds the token, as it is written in the row. */
  readonly sender: string;
  /** SHA-256 (FIPS 180-4), 32 bytes. */
  readonly digest: ArrayBuffer;
}

/** Digests a token for comparison. */
export async function digestOf(sender: string, token: string): Promise<TokenDigest> {
  return { sender, digest: await sha256(token) };
}

/** The SHA-256 of a text in UTF-8. */
export function sha256(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
}
