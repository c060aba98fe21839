/**
 * Identifiers by which a guest is found: texts of the form `kind:value`, normalised whatever the original spelling.
 * Stored data yields some, a search for a guest yields some, and the guest is found where the two sets meet. They can
 * be compared directly or by their keyed digests. Pure.
 */

import { isExact } from '../json/inexact-number.ts';
import { emailsIn, wholeEmail } from './email.ts';
import { type NamedValue, roleOf } from './member-role.ts';
import { daysIn, storedNames } from './person-name.ts';
import { type Phone, phonesAmong, phonesIn } from './phone.ts';
import { foldText, readingsOf } from './text.ts';

/** The columns that are ids. They identify a guest only together with the hotel that issued them. */
export type IdColumn = 'customer_id' | 'reservation_id';

/** A hotel as named by senders; null where not known. */
export interface Hotel {
  readonly integration: string | null;
  readonly property: string | null;
}

/** A hotel of which nothing is known. */
export const UNKNOWN_HOTEL: Hotel = { integration: null, property: null };

/** The result of reading a value. */
export interface Reading {
  readonly found: ReadonlySet<string>;
  /** Whether it held more than is read: the rest may name guests. */
  readonly isCut: boolean;
}

/**
 * How much of one value is read, as a number of characters processed, so that no sender can keep this busy: ten times
 * what a normal row of 64 KiB needs. Expensive steps count as the number of characters that take equally long.
 */
export const MAX_WORK = 600_000;

/** Cost of an identifier: it is stored and may be digested. */
const IDENTIFIER_WORK = 1_000;

/** Cost of a candidate for an address, a number or a name, including repeats. */
const FIND_WORK = 600;

/** Cost of a list item. */
const ITEM_WORK = 20;

/** Cost of a member name: it is compared with those of all fields. */
export const NAME_WORK = 400;

/** Collects identifiers while a value is read, within a budget of work. */
export class Gathering {
  readonly #found = new Set<string>();
  #left: number;
  #isCut = false;

  constructor(maxWork = MAX_WORK) {
    this.#left = maxWork;
  }

  /** Takes work from the budget. Returns whether there was enough. */
  take(work: number): boolean {
    this.#left -= work;
    return this.#left >= 0;
  }

  /** Takes work for each item and returns the items within the budget; the others are not read. */
  most<Item>(items: readonly Item[], work: number): readonly Item[] {
    const enough = items.slice(0, Math.max(0, Math.floor(this.#left / work)));
    this.#left -= enough.length * work;
    if (enough.length < items.length) this.#isCut = true;
    return enough;
  }

  add(identifier: string): void {
    if (!this.#found.has(identifier) && this.take(IDENTIFIER_WORK)) this.#found.add(identifier);
  }

  reading(): Reading {
    return { found: this.#found, isCut: this.#isCut || this.#left < 0 };
  }
}

/** The identifier of an id of a hotel; its kind is marked when the hotel is not fully known. */
export function idIdentifier(column: IdColumn, id: string, { integration, property }: Hotel): string {
  const isKnown = integration !== null && property !== null;
  return `${column}${isKnown ? '' : '?'}:${JSON.stringify([integration, property, id.trim().normalize('NFC')])}`;
}

/**
 * The identifiers in a value: a row, or the result of JSON.parse for any text. Members of objects are recognised by the
 * names of the contract, however spelled and nested; e-mail addresses and international telephone numbers anywhere.
 *
 * @param hotel - The hotel that issued the ids, where the value itself does not say.
 */
export function identifiersOf(value: unknown, hotel: Hotel = UNKNOWN_HOTEL, gathering = new Gathering()): Reading {
  const rest: (NamedValue & { readonly hotel: Hotel })[] = [{ name: '', value, hotel }];
  // Without recursion: a refused body may be nested to any depth.
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { name } = next;
    const inside = typeof next.value === 'string' ? (nestedIn(next.value, gathering) ?? next.value) : next.value;
    if (typeof inside === 'string' && roleOf(name, '').kind !== 'email') addTexts(gathering, inside);
    if (typeof inside !== 'object' || inside === null) continue;
    const members = membersWithin(inside, name, gathering);
    const inHotel = hotelAmong(members, next.hotel);
    addMembers(gathering, members, name, inHotel);
    for (const member of members) {
      // The items of a list have its name, which was read with the list.
      if (member.name !== name && !FIELD_NAME.test(member.name)) addTexts(gathering, member.name);
      const isText = typeof member.value === 'string';
      if (typeof member.value === 'object' || (isText && roleOf(member.name, name).isFree)) {
        rest.push({ ...member, hotel: inHotel });
      }
    }
  }
  return gathering.reading();
}

/** What programs call their fields. Other names may be values: objects can be keyed by the address of a guest. */
const FIELD_NAME = /^[A-Za-z_]*$/;

/** The members of an object, or the items of a list, within the budget. */
function membersWithin(value: object, name: string, gathering: Gathering): NamedValue[] {
  if (Array.isArray(value)) return gathering.most(value, ITEM_WORK).map((item): NamedValue => ({ name, value: item }));
  const entries = gathering.most(Object.entries(value), NAME_WORK);
  return entries.map(([member, item]): NamedValue => ({ name: member, value: item }));
}

/** The hotel named by the members of an object. */
export function hotelAmong(members: readonly NamedValue[], outer: Hotel): Hotel {
  let { integration, property } = outer;
  for (const { name, value } of members) {
    const text = asText(value)?.trim();
    if (text === undefined) continue;
    const { kind } = roleOf(name, '');
    if (kind === 'integration_id') integration = text;
    else if (kind === 'property_id') property = text;
  }
  return { integration, property };
}

/** Adds the identifiers that the members of one object yield together. */
export function addMembers(gathering: Gathering, members: readonly NamedValue[], parent: string, hotel: Hotel): void {
  const [first, last, whole, births]: [string[], string[], string[], string[]] = [[], [], [], []];
  for (const { name, value } of members) {
    const text = asText(value);
    if (text === undefined) continue;
    const { kind } = roleOf(name, parent);
    switch (kind) {
      case 'customer_id':
      case 'reservation_id':
        gathering.add(idIdentifier(kind, text, hotel));
        break;
      case 'email':
        if (!gathering.take(FIND_WORK)) break;
        for (const reading of readingsWithin(gathering, text)) addEmails(gathering, reading, true);
        break;
      case 'phone':
        if (!gathering.take(FIND_WORK)) break;
        for (const reading of readingsWithin(gathering, text)) addPhones(gathering, phonesIn(reading));
        break;
      case 'first_name':
        first.push(text);
        break;
      case 'last_name':
        last.push(text);
        break;
      case 'full_name':
        whole.push(text);
        break;
      case 'birth_date':
        births.push(text);
        break;
    }
  }
  if (births.length > 0) addNames(gathering, [few(first).concat(few(last)).join(' '), ...few(whole)], few(births));
}

/** More of them is not an event but an attempt to keep this busy. */
function few(values: readonly string[]): string[] {
  return values.slice(0, 3).map((value) => value.slice(0, 100));
}

function addNames(gathering: Gathering, names: readonly string[], births: readonly string[]): void {
  const days = new Set(births.flatMap(readingsOf).flatMap(daysIn));
  for (const name of days.size === 0 ? [] : names.flatMap(readingsOf)) {
    if (!gathering.take(FIND_WORK)) break;
    for (const spelled of storedNames(name)) {
      for (const day of days) gathering.add(nameIdentifier(spelled, day));
    }
  }
}

/** The identifier of a name together with a date of birth, `YYYY-MM-DD`. */
export function nameIdentifier(spelled: string, day: string): string {
  return `name_birth:${spelled}:${day}`;
}

/**
 * Adds telephone numbers. A number without a country code matches the same number with any, but two with different
 * country codes do not match: hence three kinds, of which {@link wantedPhones} looks for the matching ones.
 */
function addPhones(gathering: Gathering, phones: readonly Phone[]): void {
  for (const { international, national } of phones) {
    if (international === undefined) gathering.add(`phone_national:${national}`);
    else {
      gathering.add(`phone:${international}`);
      gathering.add(`phone_of:${national}`);
    }
  }
}

/** The identifiers by which a telephone number is found. Empty when the text contains none. */
export function wantedPhones(text: string): Set<string> {
  return new Set(
    phonesIn(foldText(text)).flatMap(({ international, national }) => [
      `phone_national:${national}`,
      international === undefined ? `phone_of:${national}` : `phone:${international}`,
    ]),
  );
}

/** Adds the identifiers found in any text. */
export function addTexts(gathering: Gathering, text: string): void {
  for (const reading of readingsWithin(gathering, text)) {
    addEmails(gathering, reading, false);
    for (const phones of phonesAmong(reading)) {
      if (!gathering.take(FIND_WORK)) break;
      addPhones(gathering, phones);
    }
  }
}

/** @param isField - Whether the text is from an address field: if possible, it is then read whole as one address. */
function addEmails(gathering: Gathering, text: string, isField: boolean): void {
  const whole = isField ? wholeEmail(text) : undefined;
  for (const email of whole === undefined ? emailsIn(text) : [whole]) {
    if (!gathering.take(FIND_WORK)) break;
    gathering.add(`email:${email}`);
  }
}

function readingsWithin(gathering: Gathering, text: string): string[] {
  if (!gathering.take(text.length)) return [];
  const readings = readingsOf(text);
  // The first reading is already counted.
  const more = readings.slice(1).reduce((length, reading) => length + reading.length, 0);
  return gathering.take(more) ? readings : readings.slice(0, 1);
}

/** JSON in Base64 (RFC 4648), recognised by its first characters. */
const BASE64_JSON = /^\s*(?:ey|ew|W[3y])[\w+/-]{14,}={0,2}\s*$/;

/** Parses text that contains JSON, as the column `extra` does, also in Base64. */
function nestedIn(text: string, gathering: Gathering): object | undefined {
  const first = text.charCodeAt(0);
  // Most texts are ruled out by their first character.
  if (first > 0x20 && first !== 0x7b && first !== 0x5b && first !== 0x65 && first !== 0x57) return undefined;
  const json = BASE64_JSON.test(text) ? fromBase64(text) : text;
  if (!/^\s*[{[]/.test(json) || !gathering.take(json.length)) return undefined;
  const value = parseJson(json);
  return typeof value === 'object' && value !== null ? value : undefined;
}

function fromBase64(text: string): string {
  const base64 = text.trim().replaceAll('-', '+').replaceAll('_', '/');
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return text;
  }
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/**
 * Parses JSON; numbers that a JavaScript number cannot hold become strings, with the digits as written. Undefined for
 * other text.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (_name: string, value: unknown, context?: { source?: string }) => {
      const source = context?.source;
      return typeof value === 'number' && source !== undefined && !isExact(source, value) ? source : value;
    });
  } catch {
    return undefined;
  }
}
