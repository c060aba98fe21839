/** By what a guest is found in text that is no row: refused bodies and messages of any kind. Pure. */

import {
  addMembers,
  addTexts,
  Gathering,
  hotelAmong,
  identifiersOf,
  idIdentifier,
  NAME_WORK,
  parseJson,
  type Reading,
  UNKNOWN_HOTEL,
} from '../../guests/identifiers.ts';
import type { Member } from '../../guests/member-role.ts';

/** How much of a body is read, see `MAX_WORK`: a refused batch may hold a thousand events. */
const MAX_BODY_WORK = 20_000_000;

/** A value in a text that cannot be parsed, with its name before it: in JSON, XML, YAML. */
const NAMED_VALUE = /([A-Za-z][\w-]{2,63})["']?\s*[:=>]\s*(?:"((?:[^"\\]|\\.)*)|'([^']*)|([^\s"'<>&,;{}[\]]+))/g;

/** A text within an element (XML), whole, since a name or an address may hold blanks. */
const ELEMENT = /<([A-Za-z][\w.-]{2,63})[^<>]{0,200}>([^<>]{1,400})</g;

/** What may be an id in a text without names, such as CSV: short numbers are counts more often. */
const MAY_BE_ID = /[^\s"'<>=&,;:|{}[\]()]{6,64}/g;

/** A body that may be JSON in Base64 as a whole. */
const BASE64 = /^\s*[\w+/-]{16,}={0,2}\s*$/;

/** A form (URL Standard, application/x-www-form-urlencoded), and nothing else. */
const FORM = /^\s*[\w.[\]%+-]{1,100}=[^\s<>{]*(?:&|\s*$)/;

/** The identifiers in a text that is JSON or was meant to be; for other text what its patterns tell. */
export function identifiersIn(text: string): Reading {
  const gathering = new Gathering(MAX_BODY_WORK);
  readText(text, gathering);
  return gathering.reading();
}

function readText(text: string, gathering: Gathering): void {
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null) identifiersOf(value, UNKNOWN_HOTEL, gathering);
  else if (typeof value === 'string' || BASE64.test(text))
    identifiersOf({ text: value ?? text }, UNKNOWN_HOTEL, gathering);
  else if (FORM.test(text)) identifiersOf(formIn(text), UNKNOWN_HOTEL, gathering);
  // Parsed or not, since of names that repeat JSON.parse tells the last alone.
  for (const members of recordsIn(text, gathering)) {
    addMembers(gathering, members, '', hotelAmong(members, UNKNOWN_HOTEL));
    for (const { value: inside } of members) if (typeof inside === 'string') addTexts(gathering, inside);
  }
  addTexts(gathering, text);
  if (value !== undefined || !gathering.take(text.length)) return;
  for (const [word] of text.matchAll(MAY_BE_ID)) {
    if (!/\d/.test(word)) continue;
    gathering.add(idIdentifier('customer_id', word, UNKNOWN_HOTEL));
    gathering.add(idIdentifier('reservation_id', word, UNKNOWN_HOTEL));
  }
}

/** The fields of a form by their names. */
function formIn(text: string): Record<string, string | string[] | undefined> {
  const fields = Map.groupBy(new URLSearchParams(text.trim()), ([name]) => name);
  return Object.fromEntries(
    Array.from(fields, ([name, entries]) => {
      const values = entries.map(([, value]) => value);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

/** What stands in a text as names and values, cut where a name comes again. */
function recordsIn(text: string, gathering: Gathering): Member[][] {
  const records: Member[][] = [];
  let names = new Set<string>();
  const add = (name: string, value: string | undefined): boolean => {
    if (records.length === 0 || names.has(name)) {
      records.push([]);
      names = new Set();
    }
    names.add(name);
    records.at(-1)?.push({ name, value });
    return gathering.take(NAME_WORK);
  };
  const isXml = text.includes('</');
  for (const [, name = '', double, single, bare] of text.matchAll(isXml ? ELEMENT : NAMED_VALUE)) {
    const value = isXml ? double : double === undefined ? (single ?? bare) : withoutEscapes(double);
    if (!add(name, value)) break;
  }
  return records;
}

/** A text with the escapes of JSON, whose end may be missing. */
function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  const parsed = parseJson(`"${text}"`);
  return typeof parsed === 'string' ? parsed : text;
}
