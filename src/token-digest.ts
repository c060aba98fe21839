/** Tokens, of which nothing but digests is kept in memory. */

import { type Sender, TOKEN_DIGEST } from './contract/senders.ts';

/** The tokens that are accepted. */
export interface TokenBook {
  /** How many there are. */
  readonly size: number;
  /** Finds whoever holds a token, at the same cost for every token and every number of them. */
  find(token: string): Promise<Sender | undefined>;
}

/** A token, or its digest behind `sha256:`, and whoever holds it. */
export interface HeldToken {
  readonly token: string;
  readonly sender: Sender;
}

/** What an unknown token is compared with, so that it costs what a known one costs. */
const NO_DIGEST = new ArrayBuffer(32);

/**
 * Makes the book. A token is looked up by a keyed hash (HMAC, RFC 2104) of its SHA-256 under a key that lives and dies
 * with the book: how long the look-up takes depends on bits that nobody can choose or predict. The digests are then
 * compared in constant time. When a token stands there twice, the last entry counts.
 */
export async function openTokenBook(held: readonly HeldToken[]): Promise<TokenBook> {
  const key = await crypto.subtle.importKey(
    'raw',
    crypto.getRandomValues(new Uint8Array(32)),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const place = async (digest: ArrayBuffer) => new Uint8Array(await crypto.subtle.sign('HMAC', key, digest)).toHex();
  const entries = held.map(async ({ token, sender }) => {
    const digest = await digestOf(token);
    return [await place(digest), { digest, sender }] as const;
  });
  const book = new Map(await Promise.all(entries));
  return {
    size: book.size,
    async find(token) {
      const digest = await sha256(token);
      const entry = book.get(await place(digest));
      return crypto.subtle.timingSafeEqual(entry?.digest ?? NO_DIGEST, digest) ? entry?.sender : undefined;
    },
  };
}

async function digestOf(token: string): Promise<ArrayBuffer> {
  const [, digest] = TOKEN_DIGEST.exec(token) ?? [];
  return digest === undefined ? sha256(token) : Uint8Array.fromHex(digest).buffer;
}

/** The SHA-256 (FIPS 180-4) of a text in UTF-8. */
function sha256(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
}
