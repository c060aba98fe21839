/**
 * A quick test that skips nearly all lines of events before they are parsed. It is derived from what the matcher
 * does with texts: a value stands in a line as it is wanted, or something stands there that the matcher would read as
 * another text. Pure.
 */

import { foldCharacter } from '../../guests/text.ts';

/** Ids whose characters stand in JSON as they are, whatever is escaped around them. */
const PLAIN = /^[\w.:+-]+$/;

/** An address of ASCII alone; the matcher brings others into one spelling. */
const PLAIN_ADDRESS = /^[!-~]+$/;

/** What the matcher decodes (`text.ts`) where it stands for a letter, a digit or a sign of an address. */
const ESCAPES = [
  String.raw`\\{1,8}u[\da-f]{4}`,
  '%[2-7][\\da-f]',
  '&(?:#|commat|plus|period|amp|hyphen)',
  // JSON in Base64.
  String.raw`(?<![\w+/-])(?:ey|ew|W[3y])[\w+/-]{14}`,
];

/** What may stand between the digits of a number: eight characters, each of which JSON may escape several times. */
const BETWEEN_DIGITS = String.raw`(?:\\[bfnrt]|[^\p{L}\p{N}]){0,80}`;

let disguises: string | undefined;

/**
 * A pattern that matches every line of an event in which one of the identifiers is found, and few others.
 *
 * @returns Undefined when there is no such pattern, so that each line has to be parsed.
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
        // The national number of each is wanted too.
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

/** A class of all characters that the matcher leaves out, or reads as letters, digits or signs of ASCII. */
function disguisedCharacters(): string {
  const ranges: [number, number][] = [];
  for (let code = 0x80; code <= 0xe0fff; code++) {
    // Nothing is assigned from here on but the tags of plane 14.
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
  // In any case, the sign for kelvin would be every k.
  return `(?-i:[${ranges.map(([from, to]) => (from === to ? hex(from) : `${hex(from)}-${hex(to)}`)).join('')}])`;
}

/** An address; JSON within text may have a backslash before a slash, and each text around it doubles that. */
function addressLike(address: string): string {
  return address
    .split('/')
    .map((part) => RegExp.escape(part))
    .join(String.raw`\\{0,8}/`);
}

/** A date of birth in every order and form in which it is read. */
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
