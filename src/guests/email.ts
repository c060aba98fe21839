/** E-mail addresses as people write them. Pure. */

import { foldText } from './text.ts';

/** What an atom is made of (RFC 5322 section 3.2.3), with the dots between atoms, by code unit. */
const IS_ATEXT = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w.!#$%&'*+/=?^`{|}~-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Letters of other scripts, which addresses may hold (RFC 6531); other characters beyond ASCII are borders. */
const LETTER = /[\p{L}\p{M}\p{N}]/u;

/** A domain by its letters, which ends where anything else follows. */
const DOMAIN = /[\p{L}\p{M}\p{N}.-]{1,255}/uy;

/** The longest that stands before the at sign, in octets (RFC 5321 section 4.5.3.1). */
const MAX_LOCAL = 64;

/** One address and nothing else: before the at sign an atom with dots, or a text in quotes. */
const WHOLE = /^(?:[^\s@<>()[\],;:"\\]+|"(?:[^"\\]|\\.)+")@[\p{L}\p{M}\p{N}.-]+$/u;

/** Longer texts are no address, in characters (RFC 5321 section 4.5.3.1, with room for blanks around it). */
const MAX_WHOLE = 400;

/**
 * What people set before an address without a blank, though an atom may hold it. Only at its beginning: whatever stands
 * behind a letter or digit is part of the address.
 */
const BEFORE_ADDRESS = /^[!*'`~^?/|={}&#$%._-]+/;

/** The name of a field before an address, as in `?email=`. */
const NAMED = /^.*(?:mail|address|to|from|cc)=/i;

/** Scripts that set no blanks between words, up to the address. */
const WITHOUT_BLANKS = /^.*[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

/**
 * Reads a text that is one address, in one spelling: in lower case, composed (Unicode NFC), the domain as the mail
 * servers have it (RFC 5891). Dots and what follows a plus stay: only some providers take them for the same mailbox.
 *
 * @returns Undefined when it is anything else: several addresses, one with a name around it.
 */
export function wholeEmail(text: string): string | undefined {
  if (text.length > MAX_WHOLE) return undefined;
  const folded = foldText(text).trim();
  if (!WHOLE.test(folded)) return undefined;
  const at = folded.lastIndexOf('@');
  return spell(folded.slice(0, at), folded.slice(at + 1));
}

/**
 * Finds the addresses within other text, spelled as {@link wholeEmail} spells them. One is cut out at the borders that
 * RFC 5322 gives it and nowhere else: `o'neil@` and `a&b@` are found, `neil@` and `b@` in them are not.
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

/** What stands before an at sign; undefined when that is nothing, or more than an address may have. */
function localBefore(text: string, at: number, from: number): string | undefined {
  let start = at;
  const floor = Math.max(from, at - MAX_LOCAL - 1);
  while (start > floor) {
    const width = isAtom(text, start);
    if (width === 0) break;
    start -= width;
  }
  return start < at && at - start <= MAX_LOCAL ? text.slice(start, at) : undefined;
}

/** How many code units the character before a place has, if it may be part of an atom; 0 when it may not. */
function isAtom(text: string, place: number): number {
  const unit = text.charCodeAt(place - 1);
  if (unit < 128) return IS_ATEXT[unit] ?? 0;
  const width = unit >= 0xdc00 && unit <= 0xdfff ? 2 : 1;
  return LETTER.test(text.slice(place - width, place)) ? width : 0;
}

function readingsOfLocal(local: string): Set<string> {
  // Two dots are no part of an atom.
  const atom = local.replace(/^(?:.*\.\.|\.)/, '');
  const bare = atom.replace(BEFORE_ADDRESS, '');
  const readings = [atom, bare, bare.replace(NAMED, ''), bare.replace(WITHOUT_BLANKS, '')];
  return new Set(readings.filter((reading) => reading !== ''));
}

/** What stands before the first letter beyond ASCII, where text goes on without a blank. */
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
