/** Recognising e-mail addresses as people write them. Pure. */

import { foldText } from './text.ts';

/** Whether an ASCII code unit may be part of an atom (RFC 5322 section 3.2.3) or is the dot between atoms. */
const IS_ATEXT = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w.!#$%&'*+/=?^`{|}~-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Letters of other scripts, which addresses may contain (RFC 6531); other characters beyond ASCII end an address. */
const LETTER = /[\p{L}\p{M}\p{N}]/u;

/** A domain by its letters; it ends at any other character. */
const DOMAIN = /[\p{L}\p{M}\p{N}.-]{1,255}/uy;

/** Maximum length of the local part, in octets (RFC 5321 section 4.5.3.1). */
const MAX_LOCAL = 64;

/** A single address and nothing else; the local part is atoms with dots, or a quoted string. */
const WHOLE = /^(?:[^\s@<>()[\],;:"\\]+|"(?:[^"\\]|\\.)+")@[\p{L}\p{M}\p{N}.-]+$/u;

/** Maximum length of an address, in characters (RFC 5321 section 4.5.3.1, plus room for surrounding blanks). */
const MAX_WHOLE = 400;

/**
 * Characters that people put before an address without a blank, although an atom may contain them. Stripped only at the
 * start: anything after a letter or digit is part of the address.
 */
const BEFORE_ADDRESS = /^[!*'`~^?/|={}&#$%._-]+/;

/** A field name before an address, as in `?email=`. */
const NAMED = /^.*(?:mail|address|to|from|cc)=/i;

/** Text in scripts without blanks between words, up to the address. */
const WITHOUT_BLANKS = /^.*[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

/**
 * Reads a text that is a single address and normalises it: lower case, composed (Unicode NFC), the domain as mail
 * servers see it (RFC 5891). Dots and plus suffixes are kept: only some providers treat them as the same mailbox.
 *
 * @returns Undefined when it is anything else, such as several addresses, or one with a name around it.
 */
export function wholeEmail(text: string): string | undefined {
  if (text.length > MAX_WHOLE) return undefined;
  const folded = foldText(text).trim();
  if (!WHOLE.test(folded)) return undefined;
  const at = folded.lastIndexOf('@');
  return spell(folded.slice(0, at), folded.slice(at + 1));
}

/**
 * Finds the addresses within other text, normalised as by {@link wholeEmail}. An address is delimited only as RFC 5322
 * delimits it: `o'neil@` and `a&b@` are found, `neil@` and `b@` inside them are not.
 *
 * @param text - Folded, see `text.ts`.
 */
export function* emailsIn(text: string): Generator<string> {
  let end = 0;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const local = localBefore(text, at, end);
    DOMAIN.lastIndex = at + 1;
    const domain = DOMAIN.exec(text)?.[0].replace(/[.-]+$/, '');
    end = at + 1;
    if (local === undefined || domain === undefined) continue;
    for (const host of new Set([domain, asciiStart(domain)])) {
      if (host.includes('.')) for (const each of readingsOfLocal(local)) yield spell(each, host);
    }
  }
}

/** The local part before an at sign; undefined when it is empty or longer than an address allows. */
function localBefore(text: string, at: number, from: number): string | undefined {
  let start = at;
  const floor = Math.max(from, at - MAX_LOCAL - 1);
  while (start > floor) {
    const width = atomWidth(text, start);
    if (width === 0) break;
    start -= width;
  }
  return start < at && at - start <= MAX_LOCAL ? text.slice(start, at) : undefined;
}

/** The number of code units of the character before an offset if it may be part of an atom, otherwise 0. */
function atomWidth(text: string, place: number): number {
  const unit = text.charCodeAt(place - 1);
  if (unit < 128) return IS_ATEXT[unit] ?? 0;
  const width = unit >= 0xdc00 && unit <= 0xdfff ? 2 : 1;
  return LETTER.test(text.slice(place - width, place)) ? width : 0;
}

function readingsOfLocal(local: string): Set<string> {
  // An atom cannot contain two dots in a row.
  const atom = local.replace(/^(?:.*\.\.|\.)/, '');
  const bare = atom.replace(BEFORE_ADDRESS, '');
  const readings = [atom, bare, bare.replace(NAMED, ''), bare.replace(WITHOUT_BLANKS, '')];
  return new Set(readings.filter((reading) => reading !== ''));
}

/** The part before the first letter beyond ASCII, for text that continues without a blank. */
function asciiStart(domain: string): string {
  return (/^[\w.-]*/.exec(domain)?.[0] ?? '').replace(/[.-]+$/, '');
}

function spell(local: string, domain: string): string {
  return `${normal(local)}@${inAscii(normal(domain))}`;
}

function normal(part: string): string {
  return part.toLowerCase().normalize('NFC');
}

function inAscii(written: string): string {
  const domain = written.replace(/\.+$/, '');
  if (/^[\w.-]*$/.test(domain)) return domain;
  return URL.parse(`http://${domain}`)?.hostname ?? domain;
}
