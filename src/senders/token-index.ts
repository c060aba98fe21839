/** The tokens that are accepted, by their digests. */

import { type KnownSender, TOKEN_DIGEST } from './sender.ts';

export interface TokenIndex {
  /** How many there are. */
  readonly size: number;
  /**
   * Knows a token that {@link find} has found before, without a digest. This helps nobody to guess: a map compares two
   * texts only when their hashes are equal, and V8 mixes a secret of the isolate into those, so that how long it takes
   * says nothing of how much of a guess is right. At most {@link size} tokens are remembered, until the configuration,
   * and with it this index, is dropped.
   */
  recognise(token: string): KnownSender | undefined;
  /**
   * Finds the sender of a token. Each token costs the same, known or not, among however many; only a wrong one that came
   * shortly before costs less. A sender that has it wrong keeps sending it, and that it came before says nothing of the
   * right ones. At most {@link MAX_WRONG_TOKENS} of {@link MAX_WRONG_LENGTH} characters are remembered, as long and in
   * the same way as right ones.
   */
  find(token: string): Promise<KnownSender | undefined>;
}

/** A token, or its digest behind `sha256:`, and its sender. */
export interface HeldToken {
  readonly token: string;
  readonly sender: Omit<KnownSender, 'tokenDigest'>;
}

/** How many wrong tokens are remembered: hardly more senders have it wrong at a time. */
const MAX_WRONG_TOKENS = 32;

/** The length up to which a wrong token is remembered, in characters: what somebody sends must not fill the memory. */
const MAX_WRONG_LENGTH = 256;

const encoder = new TextEncoder();

/** What an unknown token is compared with, so that it costs what a known one costs. */
const NO_DIGEST = new ArrayBuffer(32);

/**
 * Makes the index. A token is looked up by its SHA-256: how long that takes depends on bits of a digest, which say
 * nothing of the token and cannot be steered towards one. The digests are then compared in constant time. When a token
 * stands there twice, the last entry counts.
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

/** Remembers a wrong token, and forgets the oldest when there are too many. */
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
