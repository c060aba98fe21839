/** Recognising telephone numbers as people write them. Pure. */

/** A telephone number in digits. */
export interface Phone {
  /** With the country code, as in `420602123456`; undefined when none is written. */
  readonly international: string | undefined;
  /** Without the country code and the trunk prefix zero that is dialled within a country, as in `602123456`. */
  readonly national: string;
}

/** Country codes of one and two digits (ITU-T E.164); all others have three, and none is the start of another. */
const COUNTRY_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])|^\d{3}/;

/** Minimum number of digits: fewer are an extension or a placeholder. */
const MIN_DIGITS = 6;

/** Maximum length of a number including its country code (ITU-T E.164 section 6). */
const MAX_DIGITS = 15;

/** National numbers have at most ten digits nearly everywhere: longer ones include a country code without the plus. */
const MAX_NATIONAL_DIGITS = 10;

/** An extension after a number. */
const EXTENSION =
  /(\d)[\s.,;/-]*(?:\(?\s*(?:ext(?:ension|n)?|x|dw|durchwahl|kl|klapka|poste|int|anexo|ramal)\b\.?|#)[\s.:=-]*\d{1,8}\)?/giu;

/** Separators between two numbers in one field; a slash without blanks is part of a German number. */
const BETWEEN_NUMBERS = /[\p{L}#;,|\n\r\t]+|\/(?=\s*(?:\+|00))|(?=\+)|\s(?=0(?:11|0)(?:[\s().-]*\d){9})/u;

/** Too many other characters between two digits for them to belong to one number. */
const APART = /[^\p{L}\p{N}]{9,}/u;

/** Text that starts like an international number, within other text. */
const IN_TEXT = /(?:\+|(?<![\w.,:-])0(?:11|0))[\d\s().\u2010-\u2013/-]{6,30}\d/g;

/** Maximum length of a field, in characters: only a hostile sender writes more. The rest is cut off. */
const MAX_FIELD = 200;

/** International call prefixes: 00, in North America 011, in Australia 0011. */
const DIALLED = /^(?:0011|011|00)/;

/**
 * Reads the numbers in a telephone field.
 *
 * @param field - Folded, see `text.ts`.
 */
export function phonesIn(field: string): Phone[] {
  return field
    .slice(0, MAX_FIELD)
    .replace(EXTENSION, '$1;')
    .split(BETWEEN_NUMBERS)
    .flatMap(splitAtSlashes)
    .flatMap((piece) => piece.split(APART))
    .flatMap(halves)
    .flatMap(readPhone);
}

/**
 * Finds the numbers in any text, one match after the other: only those with a plus or a call prefix, since others
 * cannot be told from other digits.
 *
 * @param text - Folded.
 */
export function* phonesAmong(text: string): Generator<readonly Phone[]> {
  // Most texts contain none.
  if (!text.includes('+') && !text.includes('00') && !text.includes('011')) return;
  for (const [found] of text.matchAll(IN_TEXT)) yield phonesIn(found);
}

/** Splits numbers at a slash between blanks, but not an area code from its number: 030 / 1234567. */
function splitAtSlashes(written: string): string[] {
  const numbers: string[] = [];
  let areaCode = '';
  for (const part of written.split(/\s\/\s/)) {
    const number = areaCode + part;
    areaCode = isAreaCode(number) ? `${number} ` : '';
    if (areaCode === '') numbers.push(number);
  }
  // Nothing follows: a few countries have numbers as short as that.
  return [...numbers, areaCode];
}

/** Whether this is too short for a number and begins like one that is dialled in full. */
function isAreaCode(written: string): boolean {
  return /^[^\d+]*[+0]/.test(written) && readPhone(written).every(({ national }) => national.length < MIN_DIGITS);
}

/** Splits two numbers with only a blank between them, which together have more digits than one number may have. */
function halves(written: string): string[] {
  const digits = written.replace(/\D/g, '').length;
  if (digits <= MAX_DIGITS) return [written];
  if (digits > 2 * MAX_DIGITS) return [];
  const borders = Array.from(written.matchAll(/\s/g), ({ index }) => index);
  const middle = borders.find((at) => written.slice(0, at).replace(/\D/g, '').length * 2 === digits);
  return middle === undefined ? [written] : [written.slice(0, middle), written.slice(middle)];
}

function readPhone(written: string): Phone[] {
  // The trunk prefix zero after the country code: +44 (0)20, +49(0)30.
  const number = written.replace(/^(\D*(?:\+|00)\D*\d{1,3}\D*)\(\s*0\s*\)/, '$1');
  const digits = number.replace(/\D/g, '');
  if (digits.length < MIN_DIGITS) return [];
  if (/^\D*\+/.test(number)) return digits.startsWith('0') ? [] : [international(digits)];
  const dialled = DIALLED.exec(digits)?.[0];
  const rest = digits.slice(dialled?.length ?? 0);
  const isDialled = dialled !== undefined && rest.length >= MIN_DIGITS && !rest.startsWith('0');
  if (dialled === '00') return isDialled ? [international(rest)] : [];
  const asNational: Phone = { international: undefined, national: digits.replace(/^0+/, '') };
  // An area code may begin with 11 too, so both readings are returned.
  if (isDialled && rest.length > MAX_NATIONAL_DIGITS - 1) return [asNational, international(rest)];
  const mayHoldCode = digits.length > MAX_NATIONAL_DIGITS && !digits.startsWith('0');
  return mayHoldCode ? [asNational, international(digits)] : [asNational];
}

function international(digits: string): Phone {
  const code = COUNTRY_CODE.exec(digits)?.[0] ?? '';
  // Italy writes its zero in both forms, so it is removed from both.
  const national = digits.slice(code.length).replace(/^0+/, '');
  return { international: code + national, national };
}
