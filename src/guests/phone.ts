/** Telephone numbers as people write them. Pure. */

/** A number in digits. */
export interface Phone {
  /** With the country code, as `420602123456`; undefined when none is written. */
  readonly international: string | undefined;
  /** Without the country code and the zero that is dialled before it within a country, as `602123456`. */
  readonly national: string;
}

/** Country codes of one and two digits (ITU-T E.164); all others have three, and none is the start of another. */
const COUNTRY_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])|^\d{3}/;

/** Fewer digits are an extension or a placeholder. */
const MIN_DIGITS = 6;

/** National numbers have at most ten digits nearly everywhere: more are one with its country code and without the plus. */
const MAX_NATIONAL_DIGITS = 10;

/** Several numbers in one field; a slash alone belongs to a German number. */
const SEPARATOR = /[;,|]|\/(?=\s*(?:\+|00))/;

/** Something that starts like an international number, within other text. */
const IN_TEXT = /(?:\+|(?<![\w.,:-])00)[\d\s().\u2010-\u2013/-]{6,30}\d/g;

/** Nobody writes more into such a field, in characters; what a hostile sender does is cut off. */
const MAX_FIELD = 200;

/** Reads the numbers in a field that holds a telephone number. */
export function phonesIn(field: string): Phone[] {
  return field.slice(0, MAX_FIELD).normalize('NFKC').split(SEPARATOR).flatMap(readPhone);
}

/** Finds the numbers in any text: only those with a plus or 00, since others cannot be told from other digits. */
export function phonesAmong(text: string): Phone[] {
  // Most texts hold none.
  if (!text.includes('+') && !text.includes('00')) return [];
  return Array.from(text.matchAll(IN_TEXT), ([found]) => found).flatMap(phonesIn);
}

function readPhone(written: string): Phone[] {
  const number = written
    // An extension follows after a letter or #.
    .replace(/(\d[^\p{L}#]*)[\p{L}#].*$/su, '$1')
    // The zero that is dialled within the country: +44 (0)20, +49(0)30.
    .replace(/(\d\D*)\(\s*0\s*\)/, '$1');
  const digits = number.replace(/\D/g, '');
  const hasPrefix = /^\D*(?:\+|00)/.test(number);
  const withoutPrefix = /^\D*\+/.test(number) ? digits : digits.replace(/^00/, '');
  if (withoutPrefix.length < MIN_DIGITS) return [];
  if (hasPrefix) return withoutPrefix.startsWith('0') ? [] : [international(withoutPrefix)];
  const asNational: Phone = { international: undefined, national: digits.replace(/^0+/, '') };
  const mayHoldCode = digits.length > MAX_NATIONAL_DIGITS && !digits.startsWith('0');
  return mayHoldCode ? [asNational, international(digits)] : [asNational];
}

function international(digits: string): Phone {
  const code = COUNTRY_CODE.exec(digits)?.[0] ?? '';
  // Italy writes its zero in both, so it is left out of both.
  const national = digits.slice(code.length).replace(/^0+/, '');
  return { international: code + national, national };
}
