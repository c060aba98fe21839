/** The secrets of the environment, read as senders and their tokens. */

import { DEFAULT_SENDER, readSenders, type SenderTokens } from './sender.ts';
import type { HeldToken } from './token-index.ts';

/** The secrets that hold tokens. */
export interface TokenSecrets {
  /** The token of the sender `default`. */
  readonly API_TOKEN?: string;
  /** A second token of the same sender, so that tokens can be exchanged without downtime. */
  readonly API_TOKEN_NEXT?: string;
  /** Named senders, as JSON. */
  readonly API_TOKENS?: string;
  /** More of the same: a secret holds 5 KB at most (Workers limits), about 60 senders. */
  readonly [more: `API_TOKENS_${number}`]: string | undefined;
}

/** What the secrets say. */
export interface HeldTokens {
  readonly tokens: readonly HeldToken[];
  /** What is wrong with API_TOKENS, without a value. Senders that could be read are in `tokens` all the same. */
  readonly faults: readonly string[];
}

/** Reads the secrets. Tokens are trimmed, because a secret that was piped in ends in a newline. */
export function readTokens(secrets: TokenSecrets): HeldTokens {
  const simple = [secrets.API_TOKEN, secrets.API_TOKEN_NEXT]
    .map((token, index) => ({ token: token?.trim() ?? '', sender: { name: DEFAULT_SENDER, tokenNumber: index + 1 } }))
    .filter(({ token }) => token !== '');
  const senders: SenderTokens[] = [];
  const faults: string[] = [];
  for (const [secret, text] of Object.entries(secrets)) {
    if (!/^API_TOKENS(_\d+)?$/.test(secret) || !text?.trim()) continue;
    const read = readSenders(text);
    if (read.ok) senders.push(...read.value);
    else faults.push(`${secret}: ${read.error}`);
  }
  const named = senders.flatMap(({ tokens, ...sender }) =>
    tokens.map((token, index) => ({ token, sender: { ...sender, tokenNumber: index + 1 } })),
  );
  if (repeats(senders.map(({ name }) => name))) faults.push('API_TOKENS: two secrets name the same sender');
  if (repeats(named.map(({ token }) => token))) faults.push('API_TOKENS: a token stands there twice');
  return { tokens: [...simple, ...named], faults };
}

function repeats(values: readonly string[]): boolean {
  return new Set(values).size < values.length;
}
