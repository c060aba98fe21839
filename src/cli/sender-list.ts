/**
 * The list of senders as the operator keeps it: names, limits, and digests of tokens, but no token. What is done to it
 * gives a new list. Pure but for the randomness of a new token.
 */

import * as v from 'valibot';
import { SenderEntry, SenderName } from '../senders/read-senders.ts';
import { DEFAULT_SENDER, type Sender } from '../senders/sender.ts';
import { addDefault, DefaultSchema, defaultSecrets, revokeOldDefault, rotateDefault } from './default-sender.ts';
import { newToken } from './new-token.ts';

/** What a secret may hold, in bytes: Workers take 5 KB. */
const MAX_SECRET_BYTES = 5_000;

export const SenderListSchema = v.strictObject({
  /** How many secrets have been written; a list that shrinks empties those it no longer needs. */
  secrets: v.pipe(v.number(), v.integer(), v.minValue(1)),
  default: DefaultSchema,
  senders: v.record(SenderName, SenderEntry),
});

/** The list. */
export type SenderList = v.InferOutput<typeof SenderListSchema>;

/** A list with a new token in it, and the token, which is nowhere else. */
export interface Issued {
  readonly list: SenderList;
  readonly token: string;
}

/** The list before there is any sender. */
export const NO_SENDERS: SenderList = { secrets: 1, senders: {} };

/** Adds a sender. @throws When there is one of that name, or the name or a limit is not allowed. */
export function addSender(list: SenderList, { name, integrations, role }: Sender): Issued {
  if (name === DEFAULT_SENDER) {
    if (integrations !== undefined || role !== undefined)
      throw new Error(`Cannot limit ${name}: add a sender of another name`);
    const { token, held } = addDefault(list.default);
    return { token, list: { ...list, default: held } };
  }
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
  if (name === DEFAULT_SENDER) {
    const { token, held } = rotateDefault(list.default);
    return { token, list: { ...list, default: held } };
  }
  const entry = present(list, name);
  const { token, digest } = newToken();
  return { token, list: withSender(list, name, { ...entry, tokens: [...entry.tokens, digest] }) };
}

/** Takes all tokens but the newest from a sender. @throws When there is no such sender. */
export function revokeOld(list: SenderList, name: string): SenderList {
  if (name === DEFAULT_SENDER) return { ...list, default: revokeOldDefault(list.default) };
  const entry = present(list, name);
  return withSender(list, name, { ...entry, tokens: entry.tokens.slice(-1) });
}

/** Takes a sender out; `default` also when its tokens were set by hand. @throws When there is no such sender. */
export function revoke(list: SenderList, name: string): SenderList {
  if (name === DEFAULT_SENDER) return { ...list, default: [] };
  present(list, name);
  const { [name]: _, ...senders } = list.senders;
  return { ...list, senders };
}

/**
 * The secrets that carry the list: API_TOKENS, and API_TOKENS_2 and so on when it is too long for one; API_TOKEN and
 * API_TOKEN_NEXT when it has the sender `default`.
 *
 * @throws When one sender alone is too long.
 */
export function secretsOf(list: SenderList): Readonly<Record<string, string>> {
  return { ...defaultSecrets(list.default), ...namedSecrets(list) };
}

function namedSecrets({ secrets, senders }: SenderList): Readonly<Record<string, string>> {
  const texts: string[] = [];
  let part: SenderList['senders'] = {};
  for (const [name, entry] of Object.entries(senders)) {
    const longer = { ...part, [name]: entry };
    if (fits(longer)) part = longer;
    else {
      texts.push(JSON.stringify(part));
      part = { [name]: entry };
      if (!fits(part)) {
        throw new Error(
          `Cannot put ${name} into a secret: it is longer than ${MAX_SECRET_BYTES} bytes; shorten its integrations to a prefix that ends in *`,
        );
      }
    }
  }
  texts.push(JSON.stringify(part));
  while (texts.length < secrets) texts.push('{}');
  return Object.fromEntries(texts.map((text, index) => [index === 0 ? 'API_TOKENS' : `API_TOKENS_${index + 1}`, text]));
}

function fits(senders: SenderList['senders']): boolean {
  return Buffer.byteLength(JSON.stringify(senders)) <= MAX_SECRET_BYTES;
}

function present({ senders }: SenderList, name: string): SenderList['senders'][string] {
  const entry = Object.hasOwn(senders, name) ? senders[name] : undefined;
  if (entry !== undefined) return entry;
  const names = Object.keys(senders).join(', ') || 'none yet';
  throw new Error(`Cannot find the sender ${name}; there are: ${names}`);
}

function withSender(list: SenderList, name: string, entry: SenderList['senders'][string]): SenderList {
  const changed = { ...list, senders: { ...list.senders, [name]: entry } };
  return { ...changed, secrets: Math.max(list.secrets, Object.keys(namedSecrets(changed)).length) };
}
