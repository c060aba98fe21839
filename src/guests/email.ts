/** Recognising e-mail addresses as people write them. Pure. */

import { foldText } from './text.ts';

/**
 * An at sign, the atoms and dots before it (RFC 5322 section 3.2.3), and the domain behind it by its letters. Letters of
 * other scripts may occur in both (RFC 6531); other characters beyond ASCII end an address. It matches at the sign, so
 * that a text without one costs no more than looking for it.
 */
const ADDRESS = /@(?<=(?<local>[\w.!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]{1,65})@)(?<domain>[\p{L}\p{M}\p{N}.-]{1,255})/gu;

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
  for (const { groups } of text.matchAll(ADDRESS)) {
    const { local = '', domain = '' } = groups ?? {};
    if (local.length > MAX_LOCAL) continue;
    const trimmed = domain.replace(/[.-]+$/, '');
    for (const host of new Set([trimmed, asciiStart(trimmed)])) {
      if (host.includes('.')) for (const each of readingsOfLocal(local)) yield spell(each, host);
    }
  }
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
