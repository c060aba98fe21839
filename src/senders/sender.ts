/** Who may send, as the operator writes it down in API_TOKENS. Pure. No text here holds a token. */

import * as v from 'valibot';
import { fail, ok, type Result } from '../result.ts';

/** Whoever holds a token. */
export interface Sender {
  /** As it is written in the row. */
  readonly name: string;
  /** The IntegrationIds that may be sent, exact or as a prefix that ends in `*`; all when absent. */
  readonly integrations?: readonly string[];
  /** The status of the answer to an accepted event, for a client that takes nothing but 200; 202 when absent. */
  readonly acceptedStatus?: 200 | 202;
  /** Sees the status of all senders and of the service. It may send only for the integrations that are named. */
  readonly operator?: boolean;
}

/** A sender that has presented a token. */
export interface KnownSender extends Sender {
  /** Which of its tokens, counted from 1 in the order of the secret. It tells when an old one is no longer in use. */
  readonly tokenNumber: number;
}

/** A sender with its live tokens, each as it is presented or as `sha256:` and the 64 hex digits of its digest. */
export interface SenderTokens extends Sender {
  readonly tokens: readonly string[];
}

/** The name of the sender that uses API_TOKEN or API_TOKEN_NEXT. */
export const DEFAULT_SENDER = 'default';

/** What may stand in place of a token: its SHA-256, so that the list of senders can be kept where people read it. */
export const TOKEN_DIGEST = /^sha256:([\da-f]{64})$/;

/** The least length of a token, in characters: short ones can be guessed. */
const MIN_TOKEN_LENGTH = 32;

/** Whether a token is long enough, or a digest that is complete. */
export function isStrong(token: string): boolean {
  return token.startsWith('sha256:') ? TOKEN_DIGEST.test(token) : token.length >= MIN_TOKEN_LENGTH;
}

/** What is wrong with a token that is not {@link isStrong strong}. */
export const WEAK_TOKEN = `is neither a token of at least ${MIN_TOKEN_LENGTH} characters nor "sha256:" and 64 hex digits in lower case`;

const Token = v.pipe(v.string('is no string'), v.trim(), v.check(isStrong, WEAK_TOKEN));

const Integration = v.pipe(
  v.string('is no string'),
  v.regex(/^(?=.*\S)[^*]*\*?$/s, 'is neither an IntegrationId nor a prefix of one that ends in *'),
);

/** Valibot leaves these out of a record without a word, since they are members of every JavaScript object or class. */
const UNUSABLE_NAMES = ['__proto__', 'constructor', 'prototype'];

/** The name of a sender: it is part of rows, logs and metrics. */
export const SenderName = v.pipe(
  v.string(),
  v.regex(/^[\w.-]{1,64}$/, 'has a name that is not 1 to 64 letters, digits, ".", "_" or "-"'),
  v.check((name) => name !== DEFAULT_SENDER, `is named "${DEFAULT_SENDER}", which is the sender of API_TOKEN`),
  v.check(
    (name) => !UNUSABLE_NAMES.includes(name),
    `is named as one of ${UNUSABLE_NAMES.join(', ')}; choose another name`,
  ),
);

/** The value of one sender. It is strict, since a misspelt "integrations" would open what was to be closed. */
export const SenderEntry = v.strictObject(
  {
    tokens: v.pipe(v.array(Token, 'is no list'), v.nonEmpty('is empty; leave the sender out to close it')),
    operator: v.optional(v.boolean('is neither true nor false')),
    integrations: v.optional(
      v.pipe(v.array(Integration, 'is no list'), v.nonEmpty('is empty; leave it out to allow every IntegrationId')),
    ),
    accepted_status: v.optional(v.picklist([200, 202], 'is neither 200 nor 202')),
  },
  'is not an object of "tokens" and, where they are wanted, "integrations", "accepted_status" and "operator", and nothing else',
);

const Senders = v.pipe(
  v.string(),
  v.parseJson({}, 'is not JSON'),
  v.check(
    (senders) => !UNUSABLE_NAMES.some((name) => Object.hasOwn(Object(senders), name)),
    `has a sender named as one of ${UNUSABLE_NAMES.join(', ')}; give it another name`,
  ),
  v.record(SenderName, SenderEntry, 'is not a JSON object of senders by name'),
);

/**
 * Reads the text of API_TOKENS: `{"NAME": {"tokens": ["…"], "integrations": ["int-1", "group-*"]}}`.
 *
 * @returns The senders, or what is wrong. Senders are told apart by position, since what stands where a name belongs
 * may be a token.
 */
export function readSenders(text: string): Result<SenderTokens[], string> {
  const read = v.safeParse(Senders, text);
  if (!read.success) return fail(read.issues.map((issue) => describe(issue, text)).join('; '));
  const repeated = repeatedName(text);
  if (repeated !== undefined) return fail(repeated);
  return ok(
    Object.entries(read.output).map(([name, { tokens, integrations, accepted_status: acceptedStatus, operator }]) => ({
      name,
      tokens,
      ...(integrations !== undefined && { integrations }),
      ...(acceptedStatus !== undefined && { acceptedStatus }),
      ...(operator !== undefined && { operator }),
    })),
  );
}

/** Whether a sender may send for an IntegrationId. */
export function maySendFor({ integrations, operator = false }: Sender, integrationId: string): boolean {
  return (
    integrations?.some((allowed) =>
      allowed.endsWith('*') ? integrationId.startsWith(allowed.slice(0, -1)) : integrationId === allowed,
    ) ?? !operator
  );
}

const KNOWN_FIELDS: ReadonlySet<string> = new Set(Object.keys(SenderEntry.entries));

/** States an issue and where it is, with nothing of the text but the names that the schema knows. */
function describe({ message, path }: v.BaseIssue<unknown>, text: string): string {
  const [sender, field, index] = path?.map(({ key }) => key) ?? [];
  if (sender === undefined) return message;
  const place = Object.keys(JSON.parse(text)).indexOf(String(sender)) + 1;
  const known = typeof field === 'string' && KNOWN_FIELDS.has(field) ? `, ${field}` : '';
  return `sender ${place}${known}${typeof index === 'number' ? `[${index}]` : ''} ${message}`;
}

/**
 * Finds a name that stands twice in an object. JSON.parse keeps the last value without a word (ECMA-262, JSON.parse), so
 * that a second entry would open what the first one limits.
 *
 * @param json - Text that is known to be JSON.
 */
function repeatedName(json: string): string | undefined {
  const open: Set<unknown>[] = [];
  let sender = 0;
  for (const [token, text = '', colon] of json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon !== undefined) {
      const names = open.at(-1);
      const name: unknown = JSON.parse(text);
      if (open.length === 1) sender += 1;
      if (names?.has(name)) {
        return `sender ${sender} ${open.length === 1 ? 'has the name of an earlier one' : 'has a member twice'}`;
      }
      names?.add(name);
    }
  }
  return undefined;
}
