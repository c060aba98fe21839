/**
 * The operator's list of senders: names, limits, and digests of tokens, but no token. Changes return a new list. Pure,
 * except for the randomness of a new token.
 */

import * as v from 'valibot';
import { SenderEntry, SenderName } from '../../senders/read-senders.ts';
import type { Sender } from '../../senders/sender.ts';
import { digestOf, newToken } from './new-token.ts';

/** Limit of a secret, in bytes: Workers accept 5 KB. */
const MAX_SECRET_BYTES = 5_000;

export const SenderListSchema = v.strictObject({
  senders: v.record(SenderName, SenderEntry),
});

export type SenderList = v.InferOutput<typeof SenderListSchema>;

/** A list with a new token, and the token, which is stored nowhere. */
export interface Issued {
  readonly list: SenderList;
  readonly token: string;
}

export const NO_SENDERS: SenderList = { senders: {} };

/** Adds a sender. @throws When the name is taken, and when the name or a limit is invalid. */
export function addSender(list: SenderList, { name, integrations, role }: Sender): Issued {
  const allowed = v.safeParse(SenderName, name);
  if (!allowed.success) throw new Error(`Cannot add ${name}: it ${allowed.issues[0].message}`);
  if (Object.hasOwn(list.senders, name)) {
    throw new Error(`Cannot add ${name}: there is a sender of that name; rotate gives it another token`);
  }
  const { token, digest } = newToken();
  const entry = {
    tokens: [digest],
    ...(integrations !== undefined && { integrations: [...integrations] }),
    ...(role !== undefined && { role }),
  };
  const added = v.safeParse(SenderEntry, entry);
  if (!added.success) throw new Error(`Cannot add ${name}: it ${added.issues[0].message}`);
  return { token, list: withSender(list, name, entry) };
}

/** Gives a sender another token; its present ones stay valid. @throws When there is no such sender. */
export function rotate(list: SenderList, name: string): Issued {
  const entry = present(list, name);
  const { token, digest } = newToken();
  return { token, list: withSender(list, name, { ...entry, tokens: [...entry.tokens, digest] }) };
}

/**
 * The digests of the tokens of a sender.
 *
 * @param old - Only those of all tokens but the newest.
 * @throws When there is no such sender, or it has no old token.
 */
export function digestsOf(list: SenderList, name: string, old: boolean): string[] {
  const digests = present(list, name).tokens.map(digestOf);
  if (!old) return digests;
  if (digests.length === 1) throw new Error(`Cannot revoke an old token of ${name}: it has one only`);
  return digests.slice(0, -1);
}

/** Removes tokens, and the senders that have no other. */
export function withoutTokens(list: SenderList, digests: readonly string[]): SenderList {
  const senders = Object.entries(list.senders).flatMap(([name, entry]) => {
    const tokens = entry.tokens.filter((token) => !digests.includes(digestOf(token)));
    return tokens.length === 0 ? [] : [[name, { ...entry, tokens }] as const];
  });
  return { senders: Object.fromEntries(senders) };
}

/**
 * Divides the list into secrets: API_TOKENS, then API_TOKENS_2 and so on if it is too long for one.
 *
 * @param deployed - Names of the deployed secrets. Those that a longer list has left behind are emptied, since a
 * deployment deletes none.
 * @throws When a single sender is too long.
 */
export function secretsOf({ senders }: SenderList, deployed: readonly string[]): Readonly<Record<string, string>> {
  const secrets = Object.fromEntries(
    deployed.filter((name) => /^API_TOKENS(_\d+)?$/.test(name)).map((name) => [name, '{}']),
  );
  const texts: string[] = [];
  let part: SenderList['senders'] = {};
  for (const [name, entry] of Object.entries(senders)) {
    const longer = { ...part, [name]: entry };
    if (fits(longer)) part = longer;
    else {
      texts.push(JSON.stringify(part));
      part = { [name]: entry };
      if (!fits(part)) throw new Error(tooLong(name));
    }
  }
  texts.push(JSON.stringify(part));
  for (const [index, text] of texts.entries()) secrets[index === 0 ? 'API_TOKENS' : `API_TOKENS_${index + 1}`] = text;
  return secrets;
}

function tooLong(name: string): string {
  return `Cannot put ${name} into a secret: it is longer than ${MAX_SECRET_BYTES} bytes; shorten its integrations to a prefix that ends in *`;
}

function fits(senders: SenderList['senders']): boolean {
  return Buffer.byteLength(JSON.stringify(senders)) <= MAX_SECRET_BYTES;
}

function present({ senders }: SenderList, name: string): SenderList['senders'][string] {
  const entry = Object.hasOwn(senders, name) ? senders[name] : undefined;
  if (entry !== undefined) return entry;
  const names = Object.keys(senders).join(', ') || 'none yet';
  throw new Error(`Cannot find the sender ${name}; there are: ${names}. API_TOKEN is revoked by its digest`);
}

function withSender(list: SenderList, name: string, entry: SenderList['senders'][string]): SenderList {
  if (!fits({ [name]: entry })) throw new Error(tooLong(name));
  return { senders: { ...list.senders, [name]: entry } };
}
