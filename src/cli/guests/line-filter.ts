/**
 * A fast test that skips nearly all lines of events before they are parsed. It mirrors how the matcher reads text: a
 * matching line contains either the wanted value itself or a character or escape that the matcher would decode. Pure.
 */

import { foldCharacter } from '../../guests/text.ts';

/** Ids without a character that JSON escapes. */
const PLAIN = /^[\w.:+-]+$/;

/** An ASCII address. The matcher normalises all others. */
const PLAIN_ADDRESS = /^[!-~]+$/;

/** Encodings that the matcher (`text.ts`) decodes into a letter, a digit or a sign of an address. */
const ESCAPES = [
  String.raw`\\{1,8}u[\da-f]{4}`,
  '%[2-7][\\da-f]',
  '&(?:#|commat|plus|period|amp|hyphen)',
  // JSON in Base64.
  String.raw`(?<![\w+/-])(?:ey|ew|W[3y])[\w+/-]{14}`,
];

/** What may separate the digits of a number: eight characters, each of which may be escaped in JSON several times. */
const BETWEEN_DIGITS = String.raw`(?:\\[bfnrt]|[^\p{L}\p{N}]){0,80}`;

let disguises: string | undefined;

/**
 * A pattern that matches every event line in which one of the identifiers is found, and few others.
 *
 * @returns Undefined if there is no such pattern and every line has to be parsed.
 */
export function lineFilter(wanted: ReadonlySet<string>): RegExp | undefined {
  const patterns: string[] = [];
  for (const identifier of wanted) {
    const colon = identifier.indexOf(':');
    const [kind, value] = [identifier.slice(0, colon), identifier.slice(colon + 1)];
    switch (kind) {
      case 'email':
        if (!PLAIN_ADDRESS.test(value) || value.includes('xn--') || /["\\]/.test(value)) return undefined;
        patterns.push(addressLike(value));
        break;
      case 'name_birth':
        patterns.push(...datesLike(value.slice(-'YYYY-MM-DD'.length)));
        break;
      case 'phone_national':
        patterns.push([...value].join(BETWEEN_DIGITS));
        break;
      case 'phone':
      case 'phone_of':
        // The national number, which is always wanted with these, has its own pattern.
        break;
      default: {
        const id = String(JSON.parse(value).at(-1));
        if (!PLAIN.test(id)) return undefined;
        patterns.push(`${/^\d/.test(id) ? '(?<!\\d)' : ''}${RegExp.escape(id)}${/\d$/.test(id) ? '(?!\\d)' : ''}`);
      }
    }
  }
  disguises ??= disguisedCharacters();
  return new RegExp([...new Set(patterns), ...ESCAPES, disguises].join('|'), 'iu');
}

/** A character class of everything that the matcher drops or folds to ASCII letters, digits or signs. */
function disguisedCharacters(): string {
  const ranges: [number, number][] = [];
  for (let code = 0x80; code <= 0xe0fff; code++) {
    // From here on, only the tags of plane 14 are assigned.
    if (code === 0x32000) code = 0xe0000;
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const char = String.fromCodePoint(code);
    const folded = foldCharacter(char);
    if (folded === char || (folded !== '' && !/[!-~]/.test(folded))) continue;
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  const hex = (code: number) => `\\u{${code.toString(16)}}`;
  // If case were ignored, the kelvin sign would match every k.
  return `(?-i:[${ranges.map(([from, to]) => (from === to ? hex(from) : `${hex(from)}-${hex(to)}`)).join('')}])`;
}

/** Matches an address. JSON may escape a slash with a backslash, and each level of nesting doubles the backslashes. */
function addressLike(address: string): string {
  return address
    .split('/')
    .map((part) => RegExp.escape(part))
    .join(String.raw`\\{0,8}/`);
}

/** Matches a birth date in every order and format in which the matcher reads one. */
function datesLike(date: string): string[] {
  const [year = '', month = '', day = ''] = date.split('-');
  const short = (part: string) => part.replace(/^0/, '0?');
  const orders = [
    [year, short(month), short(day)],
    [short(day), short(month), year],
    [short(month), short(day), year],
  ];
  return [year + month + day, ...orders.map((order) => order.join(String.raw`\D{1,24}`))];
}
