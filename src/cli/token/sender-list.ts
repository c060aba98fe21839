/**
 * The list of senders as the operator keeps it: names, limits, and digests of tokens, but no token. What is done to it
 * gives a new list. Pure but for the randomness of a new token.
 */

import * as v from 'valibot';
import { SenderEntry, SenderName } from '../../senders/read-senders.ts';
import type { Sender } from '../../senders/sender.ts';
import { digestOf, newToken } from './new-token.ts';

/** What a secret may hold, in bytes: Workers take 5 KB. */
const MAX_SECRET_BYTES = 5_000;

export const SenderListSchema = v.strictObject({
  senders: v.record(SenderName, SenderEntry),
});

export type SenderList = v.InferOutput<typeof SenderListSchema>;

/** A list with a new token in it, and the token, which is nowhere else. */
export interface Issued {
  readonly list: SenderList;
  readonly token: string;
}

/** A list without some tokens, and the digests of those. */
export interface Revoked {
  readonly list: SenderList;
  readonly digests: readonly string[];
}

/** The list before there is any sender. */
export const NO_SENDERS: SenderList = { senders: {} };

/** Adds a sender. @throws When there is one of that name, or the name or a limit is not allowed. */
export function addSender(list: SenderList, { name, integrations, role }: Sender): Issued {
  const allowed = v.safeParse(SenderName, name);
  if (!allowed.success) throw new Error(`Cannot add ${name}: it ${allowed.issues[0].message}`);
  if (Object.hasOwn(list.senders, name)) {
    throw new Error(`Cannot add ${name}: there is a sender of that name; rotate gives it a further token`);
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

/** Gives a sender a further token; those it has go on to work. @throws When there is no such sender. */
export function rotate(list: SenderList, name: string): Issued {
  const entry = present(list, name);
  const { token, digest } = newToken();
  return { token, list: withSender(list, name, { ...entry, tokens: [...entry.tokens, digest] }) };
}

/** Takes all tokens but the newest from a sender. @throws When there is no such sender. */
export function revokeOld(list: SenderList, name: string): Revoked {
  const entry = present(list, name);
  if (entry.tokens.length === 1) throw new Error(`Cannot revoke an old token of ${name}: it has one only`);
  return {
    list: withSender(list, name, { ...entry, tokens: entry.tokens.slice(-1) }),
    digests: entry.tokens.slice(0, -1).map(digestOf),
  };
}

/** Takes a sender out. @throws When there is no such sender. */
export function revokeSender(list: SenderList, name: string): Revoked {
  const { tokens } = present(list, name);
  const { [name]: _, ...senders } = list.senders;
  return { list: { senders }, digests: tokens.map(digestOf) };
}

/** Takes one token out, and its sender when it was the only one; a token that is not in the list is revoked all the same. */
export function revokeDigest(list: SenderList, digest: string): Revoked {
  const senders = Object.entries(list.senders).flatMap(([name, entry]) => {
    const tokens = entry.tokens.filter((token) => digestOf(token) !== digest);
    return tokens.length === 0 ? [] : [[name, { ...entry, tokens }] as const];
  });
  return { list: { senders: Object.fromEntries(senders) }, digests: [digest] };
}

/**
 * The secrets that carry the list: API_TOKENS, and API_TOKENS_2 and so on when it is too long for one.
 *
 * @param deployed - The names of the secrets that are there. Those of a longer list are emptied: deploying deletes none.
 * @throws When one sender alone is too long.
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
