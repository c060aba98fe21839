/** Reads the senders and their tokens from the secrets of the environment. */

import { fail, ok, type Result } from '../result.ts';
import { readSenders } from './read-senders.ts';
import { DEFAULT_SENDER, isStrong, type SenderTokens, WEAK_TOKEN } from './sender.ts';
import type { HeldToken } from './token-index.ts';

export interface TokenSecrets {
  /** The token of the sender `default`. */
  readonly API_TOKEN?: string;
  /** A second token of the same sender, so that tokens can be rotated without downtime. */
  readonly API_TOKEN_NEXT?: string;
  /** Named senders, as JSON. */
  readonly API_TOKENS?: string;
  /** More named senders: a secret holds 5 KB at most (Workers limits), about 60 senders. */
  readonly [more: `API_TOKENS_${number}`]: string | undefined;
  /** Set in local development only: API_TOKEN and API_TOKEN_NEXT may be short. */
  readonly ACCEPT_SHORT_TOKENS?: string;
}

export interface HeldTokens {
  readonly tokens: readonly HeldToken[];
  /** What is wrong with the secrets, without their values. `tokens` has those that could be read nevertheless. */
  readonly faults: readonly string[];
}

/** Reads the secrets. Tokens are trimmed, because a secret that was piped in ends in a newline. */
export function readTokens(secrets: TokenSecrets): HeldTokens {
  const simple: HeldToken[] = [];
  const senders: SenderTokens[] = [];
  const faults: string[] = [];
  const isAccepted = (token: string) => secrets.ACCEPT_SHORT_TOKENS !== undefined || isStrong(token);
  // Despite their types, values may be objects or numbers: a table or a number in wrangler.toml arrives as one.
  for (const [secret, value] of Object.entries<unknown>({ ...secrets })) {
    if (!/^API_TOKEN(_NEXT|S(_\d+)?)?$/.test(secret)) continue;
    const text = readText(value);
    if (!text.ok) faults.push(`${secret}: ${text.error}`);
    else if (text.value === '') continue;
    else if (secret.startsWith('API_TOKENS')) {
      const read = readSenders(text.value);
      if (read.ok) senders.push(...read.value);
      else faults.push(`${secret}: ${read.error}`);
    } else if (isAccepted(text.value)) {
      const tokenNumber = secret === 'API_TOKEN' ? 1 : 2;
      simple.push({ token: text.value, sender: { name: DEFAULT_SENDER, tokenNumber } });
    } else faults.push(`${secret}: ${WEAK_TOKEN}`);
  }
  const named = senders.flatMap(({ tokens, ...sender }) =>
    tokens.map((token, index) => ({ token, sender: { ...sender, tokenNumber: index + 1 } })),
  );
  if (repeats(senders.map(({ name }) => name))) faults.push('API_TOKENS: two secrets name the same sender');
  if (repeats(named.map(({ token }) => token))) faults.push('API_TOKENS: a token is listed twice');
  return { tokens: [...simple, ...named], faults };
}

function readText(value: unknown): Result<string, string> {
  if (value === undefined || value === null) return ok('');
  return typeof value === 'string' ? ok(value.trim()) : fail('is not text; in wrangler.toml, write it in quotes');
}

function repeats(values: readonly string[]): boolean {
  return new Set(values).size < values.length;
}
