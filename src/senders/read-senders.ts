/** Reads the senders that the operator lists in API_TOKENS. Pure. No text here contains a token. */

import * as v from 'valibot';
import { membersOf } from '../json/members.ts';
import { fail, ok, type Result } from '../result.ts';
import { DEFAULT_SENDER, isStrong, ROLES, type SenderTokens, TOKEN_DIGEST, WEAK_TOKEN } from './sender.ts';

const Token = v.pipe(
  v.string('is not a string'),
  v.trim(),
  v.check(isStrong, WEAK_TOKEN),
  v.transform((token) => (TOKEN_DIGEST.test(token) ? token.toLowerCase() : token)),
);

const Integration = v.pipe(
  v.string('is not a string'),
  v.regex(/^(?=.*\S)[^*]*\*?$/s, 'is neither an IntegrationId nor a prefix of one that ends in *'),
);

/** Valibot silently drops these names from a record, since every JavaScript object or class has them. */
const UNUSABLE_NAMES = ['__proto__', 'constructor', 'prototype'];

/** The name of a sender, which is part of rows, logs and metrics. */
export const SenderName = v.pipe(
  v.string(),
  v.regex(/^[\w.-]{1,64}$/, 'has a name that is not 1 to 64 letters, digits, ".", "_" or "-"'),
  v.check((name) => name !== DEFAULT_SENDER, `is named "${DEFAULT_SENDER}", which is the sender of API_TOKEN`),
  v.check(
    (name) => !UNUSABLE_NAMES.includes(name),
    `is named as one of ${UNUSABLE_NAMES.join(', ')}; choose another name`,
  ),
);

/** The value of one sender. It is strict, since a misspelt "integrations" would lift the restriction. */
export const SenderEntry = v.pipe(
  v.strictObject(
    {
      tokens: v.pipe(v.array(Token, 'is not a list'), v.nonEmpty('is empty; leave the sender out to close it')),
      role: v.optional(v.picklist(ROLES, `is not one of ${ROLES.join(', ')}`)),
      integrations: v.optional(
        v.pipe(
          v.array(Integration, 'is not a list'),
          v.nonEmpty('is empty; leave it out to allow every IntegrationId'),
        ),
      ),
      accepted_status: v.optional(v.picklist([200, 202], 'is neither 200 nor 202')),
    },
    'is not an object of "tokens" and, where they are wanted, "role", "integrations" and "accepted_status", and nothing else',
  ),
  v.check(
    ({ role = 'sender', integrations, accepted_status }) =>
      role === 'sender' || (integrations === undefined && accepted_status === undefined),
    'sends nothing in its role; leave out "integrations" and "accepted_status"',
  ),
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
 * @returns The senders, or what is wrong. It refers to senders by position, since a token may be in place of a name.
 */
export function readSenders(text: string): Result<SenderTokens[], string> {
  const read = v.safeParse(Senders, text);
  if (!read.success) return fail(read.issues.map((issue) => describeIssue(issue, text)).join('; '));
  const repeated = repeatedName(text);
  if (repeated !== undefined) return fail(repeated);
  return ok(
    Object.entries(read.output).map(([name, { tokens, integrations, accepted_status: acceptedStatus, role }]) => ({
      name,
      tokens,
      ...(integrations !== undefined && { integrations }),
      ...(acceptedStatus !== undefined && { acceptedStatus }),
      ...(role !== undefined && { role }),
    })),
  );
}

const KNOWN_FIELDS: ReadonlySet<string> = new Set(Object.keys(SenderEntry.entries));

/** Describes an issue and its place, quoting nothing of the text but names that the schema knows. */
function describeIssue({ message, path }: v.BaseIssue<unknown>, text: string): string {
  const [sender, field, index] = path?.map(({ key }) => key) ?? [];
  if (sender === undefined) return message;
  const place = Object.keys(JSON.parse(text)).indexOf(String(sender)) + 1;
  const known = typeof field === 'string' && KNOWN_FIELDS.has(field) ? `, ${field}` : '';
  return `sender ${place}${known}${typeof index === 'number' ? `[${index}]` : ''} ${message}`;
}

/**
 * Finds a name that occurs twice in an object. JSON.parse silently keeps the last value (ECMA-262, JSON.parse), so a
 * second entry would lift the restrictions of the first.
 *
 * @param json - Valid JSON text of one object.
 */
function repeatedName(json: string): string | undefined {
  const members = membersOf(json);
  const at = members.findIndex(({ repeats }) => repeats);
  if (at === -1) return undefined;
  const isSender = members.findIndex(({ name }) => name === members[at]?.name) < at;
  return `sender ${at + 1} ${isSender ? 'has the name of an earlier one' : 'has a member twice'}`;
}
