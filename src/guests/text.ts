/**
 * The characters by which texts are compared: what looks like an ASCII character, or stands for one, is read as that
 * character. Pure.
 */

/** A character in an escape of JSON, percent encoding (RFC 3986) or a character reference (HTML). */
const ESCAPED =
  /\\{1,8}u([\da-f]{4})|%([2-7][\da-f])|&#(\d{1,7});|&#x([\da-f]{1,6});|&(commat|plus|period|amp|hyphen);|\\{1,8}([bfnrt"/])/gi;

const REFERENCES: Readonly<Record<string, string>> = { commat: '@', plus: '+', period: '.', amp: '&', hyphen: '-' };

/** Runs of digits in circles that Unicode does not take for digits; each starts at 1. */
const CIRCLED_ONES = [0x24f5, 0x2776, 0x2780, 0x278a];

/** Characters that only show where others are (Unicode, Default_Ignorable_Code_Point): soft hyphens, joiners. */
const IGNORABLE = /\p{DI}/u;

/** In longer texts an invisible character is no border, in characters. */
const MAX_BORDERS = 4_000;

/** Folded characters, since the same few come again and again. */
const FOLDED = new Map<string, string>();
const MAX_FOLDED = 2_000;

/**
 * Reads a text in each way in which it may be meant: as it stands, and with what is escaped in it decoded. Where it holds
 * invisible characters, with and without a border there.
 */
export function readingsOf(text: string): string[] {
  const decoded = decode(text);
  return decoded === text ? foldingsOf(text) : [...new Set([...foldingsOf(text), ...foldingsOf(decoded)])];
}

/** A text in its first reading. */
export function foldText(text: string): string {
  return foldingsOf(text)[0] ?? '';
}

/**
 * The ASCII characters that a character is read as: of another width or alphabet, a digit of any script. Characters that
 * are read as something else stay as they are, so that no text grows much.
 */
export function foldCharacter(char: string): string {
  if (IGNORABLE.test(char)) return '';
  // What separates labels of a domain beside the full stop (RFC 3490 section 3.1).
  if (char === '\u3002' || char === '\uff61') return '.';
  const code = char.codePointAt(0) ?? 0;
  if (/\p{Nd}/u.test(char)) return String(digitOf(code));
  const one = CIRCLED_ONES.find((start) => code >= start && code < start + 9);
  if (one !== undefined) return String(code - one + 1);
  if (code === 0x24ff) return '0';
  const plain = char.normalize('NFKC');
  return /^[ -~]+$/.test(plain) ? plain : char;
}

/** Digits of a script stand in the order of their values (Unicode Standard, section 4.6). */
function digitOf(code: number): number {
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}

function foldingsOf(text: string): string[] {
  if (isAscii(text)) return [text];
  const joined = text.replace(/[^\0-\x7f]/gu, foldCached);
  // Nobody hides borders in a long text; the characters there are gone through once.
  if (text.length > MAX_BORDERS || !IGNORABLE.test(text)) return [joined];
  return [joined, text.replace(/[^\0-\x7f]/gu, (char) => foldCached(char) || ' ')];
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

function foldCached(char: string): string {
  const known = FOLDED.get(char);
  if (known !== undefined) return known;
  const folded = foldCharacter(char);
  if (FOLDED.size >= MAX_FOLDED) FOLDED.clear();
  FOLDED.set(char, folded);
  return folded;
}

function decode(text: string): string {
  if (!/[\\%&]/.test(text)) return text;
  return text.replace(ESCAPED, (whole, unit, percent, decimal, hex, name, control) => {
    if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16));
    if (percent !== undefined) return String.fromCharCode(Number.parseInt(percent, 16));
    if (name !== undefined) return REFERENCES[String(name).toLowerCase()] ?? whole;
    if (control !== undefined) return /["/]/.test(control) ? control : ' ';
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
