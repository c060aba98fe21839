/** Finds guest identifiers in text that is not a row: refused bodies and messages of any kind. Pure. */

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
import type { NamedValue } from '../../guests/member-role.ts';

/** Work limit for one body, in the unit of `MAX_WORK`: a refused batch may hold a thousand events. */
const MAX_BODY_WORK = 20_000_000;

/** A named value in text that cannot be parsed, such as broken JSON, XML or YAML. */
const NAMED_VALUE = /([A-Za-z][\w-]{2,63})["']?\s*[:=>]\s*(?:"((?:[^"\\]|\\.)*)|'([^']*)|([^\s"'<>&,;{}[\]]+))/g;

/** The text of an XML element, up to its end, since a name or an address may contain spaces. */
const ELEMENT = /<([A-Za-z][\w.-]{2,63})[^<>]{0,200}>([^<>]{1,400})</g;

/** A possible id in text without names, such as CSV. Shorter numbers are more often counts. */
const MAY_BE_ID = /[^\s"'<>=&,;:|{}[\]()]{6,64}/g;

/** A body that as a whole may be Base64 of JSON. */
const BASE64 = /^\s*[\w+/-]{16,}={0,2}\s*$/;

/** A body that consists of a form (URL Standard, application/x-www-form-urlencoded) and nothing else. */
const FORM = /^\s*[\w.[\]%+-]{1,100}=[^\s<>{]*(?:&|\s*$)/;

/** Finds the identifiers in a text that is, or was meant to be, JSON; other text is searched with patterns. */
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
  // Also for text that parsed: of a name that repeats, JSON.parse keeps the last value only.
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

/** The fields of a form by name; a repeated name has a list of values. */
function formIn(text: string): Record<string, string | string[] | undefined> {
  const fields = Map.groupBy(new URLSearchParams(text.trim()), ([name]) => name);
  return Object.fromEntries(
    Array.from(fields, ([name, entries]) => {
      const values = entries.map(([, value]) => value);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

/** Splits the named values of a text into records; a name that occurs again starts the next record. */
function recordsIn(text: string, gathering: Gathering): NamedValue[][] {
  const records: NamedValue[][] = [];
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

/** Resolves JSON escapes in a text whose end may be missing. */
function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  const parsed = parseJson(`"${text}"`);
  return typeof parsed === 'string' ? parsed : text;
}
