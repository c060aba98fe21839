/**
 * By what a guest is found: texts of the form `kind:value`, in one spelling however they were written. What is stored
 * has some, a person who looks for a guest wants some, and a guest is found where one is among both. They can be compared
 * as they are or by their keyed digests. Pure.
 */

import { fieldMeant } from '../contract/names.ts';
import { emailsIn } from './email.ts';
import { daysIn, foldName } from './person-name.ts';
import { type Phone, phonesAmong, phonesIn } from './phone.ts';

/** The columns that are ids, which only say who a guest is together with the system that gave them out. */
export type IdColumn = 'customer_id' | 'reservation_id';

/** In place of the sender where it is not known. */
export const UNKNOWN_SENDER = '?';

/** The identifier of an id of any sender, or of one. Names of senders hold no colon. */
export function idIdentifier(column: IdColumn, id: string, sender?: string): string {
  return `${column}${sender === undefined ? '' : `@${sender}`}:${id.trim().normalize('NFC')}`;
}

/** Names that other systems give to a telephone number; those that fields have are found anyway. */
const PHONE_NAME = /phone|mobile|gsm|whatsapp|^(?:tel|cell)/i;

/** A value in a text that cannot be parsed, with its name before it: in JSON, a form, XML, YAML. */
const NAMED_VALUE = /([A-Za-z][\w-]{2,63})["']?\s*[:=>]\s*(?:"((?:[^"\\]|\\.)*)|'([^']*)|([^\s"'<>&,;{}[\]]+))/g;

/** What may be an id in a text without names, such as CSV: short numbers are counts more often. */
const MAY_BE_ID = /[^\s"'<>=&,;:|{}[\]()]{6,64}/g;

/**
 * The identifiers in a value: a row, or what JSON.parse makes of any text. Members of objects are known by the names of
 * the contract, however they are spelled and nested; e-mail addresses and international telephone numbers anywhere.
 *
 * @param sender - Who sent it; by default what the member `sender` of the value says.
 */
export function identifiersOf(value: unknown, sender = senderIn(value)): Set<string> {
  const found = new Set<string>();
  const rest: Named[] = [{ name: '', value }];
  // Without recursion: a body that was refused may nest as deep as it likes.
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { name } = next;
    const inside = typeof next.value === 'string' ? (nestedIn(next.value) ?? next.value) : next.value;
    if (typeof inside === 'string') addTexts(found, inside);
    if (typeof inside !== 'object' || inside === null) continue;
    const members = Array.isArray(inside)
      ? inside.map((item): Named => ({ name, value: item }))
      : Object.entries(inside).map(([member, item]): Named => ({ name: member, value: item }));
    addNamed(found, members, name, sender);
    for (const member of members) {
      const isText = typeof member.value === 'string';
      if (typeof member.value === 'object' || (isText && roleOf(member.name, name).isFree)) rest.push(member);
    }
  }
  return found;
}

/** The identifiers in a text that is JSON or was meant to be; for other text what its patterns tell. */
export function identifiersIn(text: string, sender?: string): Set<string> {
  const value = parse(text);
  const owner = sender ?? senderIn(value);
  const found = value === undefined ? new Set<string>() : identifiersOf(value, owner);
  // Parsed or not, since of names that repeat JSON.parse tells the last alone.
  for (const members of recordsIn(text)) {
    addNamed(found, members, '', owner);
    for (const member of members) addTexts(found, member.value);
  }
  addTexts(found, text);
  if (value !== undefined) return found;
  for (const [word] of text.matchAll(MAY_BE_ID)) {
    if (/\d/.test(word)) addIds(found, ['customer_id', 'reservation_id'], word, owner);
  }
  return found;
}

/** What stands in a text as names and values, cut where a name comes again. */
function recordsIn(text: string): Named[][] {
  const records: Named[][] = [];
  let names = new Set<string>();
  for (const [, name = '', double, single, bare] of text.matchAll(NAMED_VALUE)) {
    if (records.length === 0 || names.has(name)) {
      records.push([]);
      names = new Set();
    }
    names.add(name);
    records.at(-1)?.push({ name, value: double === undefined ? (single ?? bare) : withoutEscapes(double) });
  }
  return records;
}

interface Named {
  readonly name: string;
  readonly value: unknown;
}

/** Adds what the members of one object say together. */
function addNamed(found: Set<string>, members: readonly Named[], parent: string, sender: string): void {
  const [first, last, births]: [string[], string[], string[]] = [[], [], []];
  for (const { name, value } of members) {
    const text = asText(value);
    if (text === undefined) continue;
    const { column, isPhone } = roleOf(name, parent);
    if (column === 'customer_id' || column === 'reservation_id') addIds(found, [column], text, sender);
    else if (isPhone) addPhones(found, phonesIn(text));
    else if (column === 'first_name') first.push(text);
    else if (column === 'last_name') last.push(text);
    else if (column === 'birth_date') births.push(text);
  }
  // More of them is no event but an attempt to keep this busy.
  const few = (values: readonly string[]) => values.slice(0, 4);
  for (const day of few(births).flatMap(daysIn)) {
    for (const given of few(first)) {
      for (const family of few(last)) {
        // People mix up the two.
        found.add(`name_birth:${foldName(given + family)}:${day}`);
        found.add(`name_birth:${foldName(family + given)}:${day}`);
      }
    }
  }
}

/** What a member is by its name. */
interface Role {
  readonly column: string | undefined;
  readonly isPhone: boolean;
  /** Whether any text may stand in it. */
  readonly isFree: boolean;
}

/** Kinds of fields that hold nothing else once they were checked. */
const CHECKED_KINDS: ReadonlySet<string> = new Set(['timestamp', 'count', 'choice']);

/** What the service writes itself. */
const OF_THE_SERVICE = new Set(['event_id', 'event_fingerprint', 'received_at', 'rejection_id', 'body_fingerprint']);

/** The role of a member, also of one that is cut in two: the Id in Customer. */
function roleOf(name: string, parent: string): Role {
  const ofParent = ROLES.get(parent);
  const known = ofParent?.get(name);
  if (known !== undefined) return known;
  const field = fieldMeant(name) ?? fieldMeant(parent + name);
  const role: Role = {
    column: field?.column,
    isPhone: field === undefined ? PHONE_NAME.test(name) : field.column === 'phone',
    isFree: field === undefined ? !OF_THE_SERVICE.has(name) : !CHECKED_KINDS.has(field.kind),
  };
  if (ofParent !== undefined && ofParent.size < MAX_ROLES) ofParent.set(name, role);
  else if (ofParent === undefined && ROLES.size < MAX_ROLES) ROLES.set(parent, new Map([[name, role]]));
  return role;
}

/** Roles by the name of the parent and that of the member: rows have the same few again and again. */
const ROLES = new Map<string, Map<string, Role>>();
const MAX_ROLES = 100;

function addIds(found: Set<string>, columns: readonly IdColumn[], id: string, sender: string): void {
  for (const column of columns) found.add(idIdentifier(column, id)).add(idIdentifier(column, id, sender));
}

/**
 * Adds telephone numbers. One without a country code is the same as one with any, but two of different countries are
 * not the same: hence three kinds, of which {@link wantedPhones} wants the fitting ones.
 */
function addPhones(found: Set<string>, phones: readonly Phone[]): void {
  for (const { international, national } of phones) {
    if (international === undefined) found.add(`phone_national:${national}`);
    else found.add(`phone:${international}`).add(`phone_of:${national}`);
  }
}

/** The identifiers by which a telephone number is found. Empty when the text holds none. */
export function wantedPhones(text: string): Set<string> {
  return new Set(
    phonesIn(text).flatMap(({ international, national }) => [
      `phone_national:${national}`,
      international === undefined ? `phone_of:${national}` : `phone:${international}`,
    ]),
  );
}

function addTexts(found: Set<string>, value: unknown): void {
  if (typeof value !== 'string') return;
  for (const email of emailsIn(value)) found.add(`email:${email}`);
  addPhones(found, phonesAmong(value));
}

/** Text that holds JSON, as the column extra does. */
function nestedIn(text: string): object | undefined {
  const first = text.charCodeAt(0);
  // Most texts are seen to be none by their first character.
  if (first > 0x20 && first !== 0x7b && first !== 0x5b) return undefined;
  if (!/^\s*[{[]/.test(text)) return undefined;
  const value = parse(text);
  return typeof value === 'object' && value !== null ? value : undefined;
}

function senderIn(value: unknown): string {
  const isObject = typeof value === 'object' && value !== null && 'sender' in value;
  return isObject && typeof value.sender === 'string' ? value.sender : UNKNOWN_SENDER;
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** JSON with the digits of its numbers as they were written; undefined for other text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_name: string, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' ? (context?.source ?? value) : value,
    );
  } catch {
    return undefined;
  }
}

/** A text with the escapes of JSON, whose end may be missing. */
function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  const parsed = parse(`"${text}"`);
  return typeof parsed === 'string' ? parsed : text;
}
