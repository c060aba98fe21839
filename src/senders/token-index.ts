/** Finds the sender of a token by the digest of the token. */

import { type KnownSender, TOKEN_DIGEST } from './sender.ts';

export interface TokenIndex {
  readonly size: number;
  /**
   * Recognises a token that {@link find} found before, without computing a digest. This does not help to guess a token:
   * a Map compares two strings only when their hashes are equal, and V8 seeds these with a secret of the isolate, so
   * the time taken does not show how much of a guess is right. At most {@link size} tokens are cached, until the
   * configuration, and with it this index, is dropped.
   */
  recognise(token: string): KnownSender | undefined;
  /**
   * Finds the sender of a token. The time taken is the same for known and unknown tokens, however many there are. Only
   * a wrong token that was presented shortly before takes less: a sender with a wrong token keeps sending it, and its
   * being cached tells nothing about the right ones. At most {@link MAX_WRONG_TOKENS} of up to {@link MAX_WRONG_LENGTH}
   * characters are cached, for as long as right ones.
   */
  find(token: string): Promise<KnownSender | undefined>;
}

/** A token, or `sha256:` and its digest, and its sender. */
export interface HeldToken {
  readonly token: string;
  readonly sender: Omit<KnownSender, 'tokenDigest'>;
}

/** Wrong tokens that are cached at most: hardly more senders have a wrong token at the same time. */
const MAX_WRONG_TOKENS = 32;

/** In characters. Longer wrong tokens are not cached, since a sender must not fill the memory. */
const MAX_WRONG_LENGTH = 256;

const encoder = new TextEncoder();

/** Compared with the digest of an unknown token, so that it takes as long as a known one. */
const NO_DIGEST = new ArrayBuffer(32);

/**
 * Builds the index. A token is looked up by its SHA-256: the time taken depends on bits of the digest, which reveal
 * nothing about the token and cannot be steered towards one. The digests are then compared in constant time. When a
 * token occurs twice, the last entry counts.
 */
export async function buildTokenIndex(held: readonly HeldToken[]): Promise<TokenIndex> {
  const entries = held.map(async ({ token, sender }) => {
    const digest = await digestOf(token);
    const hex = hexOf(digest);
    return [hex, { digest, sender: { ...sender, tokenDigest: `sha256:${hex}` } }] as const;
  });
  const senders = new Map(await Promise.all(entries));
  const found = new Map<string, KnownSender>();
  const wrong = new Set<string>();
  return {
    size: senders.size,
    recognise: (token) => found.get(token),
    async find(token) {
      if (wrong.has(token)) return undefined;
      const digest = await sha256(token);
      const entry = senders.get(hexOf(digest));
      const sender = crypto.subtle.timingSafeEqual(entry?.digest ?? NO_DIGEST, digest) ? entry?.sender : undefined;
      if (sender !== undefined) found.set(token, sender);
      else if (token.length <= MAX_WRONG_LENGTH) remember(token, wrong);
      return sender;
    },
  };
}

/** Caches a wrong token, and drops the oldest when there are too many. */
function remember(token: string, wrong: Set<string>): void {
  wrong.add(token);
  const [first] = wrong;
  if (first !== undefined && wrong.size > MAX_WRONG_TOKENS) wrong.delete(first);
}

function hexOf(digest: ArrayBuffer): string {
  return new Uint8Array(digest).toHex();
}

async function digestOf(token: string): Promise<ArrayBuffer> {
  const [, digest] = TOKEN_DIGEST.exec(token) ?? [];
  return digest === undefined ? sha256(token) : Uint8Array.fromHex(digest).buffer;
}

/** The SHA-256 (FIPS 180-4) of a text in UTF-8. */
function sha256(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', encoder.encode(text));
}
