/**
 * Folding text for comparison: a character that looks like an ASCII character, or stands for one, is read as that
 * character. Pure.
 */

/** A character in a JSON escape, percent encoding (RFC 3986) or a character reference (HTML). */
const ESCAPED =
  /\\{1,8}u([\da-f]{4})|%([2-7][\da-f])|&#(\d{1,7});|&#x([\da-f]{1,6});|&(commat|plus|period|amp|hyphen);|\\{1,8}([bfnrt"/])/gi;

const REFERENCES: Readonly<Record<string, string>> = { commat: '@', plus: '+', period: '.', amp: '&', hyphen: '-' };

/** The digit 1 of each run of circled digits, which Unicode does not classify as digits. */
const CIRCLED_ONES = [0x24f5, 0x2776, 0x2780, 0x278a];

/** Invisible characters (Unicode, Default_Ignorable_Code_Point), such as soft hyphens and joiners. */
const IGNORABLE = /\p{DI}/u;

/** Maximum length of a text in which an invisible character may be a border, in characters. */
const MAX_BORDERS = 4_000;

/** Cache of folded characters, since texts repeat the same few. */
const FOLDED = new Map<string, string>();
const MAX_FOLDED = 2_000;

/**
 * Reads a text in each way it may be meant: as it stands, and with its escapes decoded. Where it contains invisible
 * characters, both with and without a border in their place.
 */
export function readingsOf(text: string): string[] {
  const decoded = decode(text);
  return decoded === text ? foldingsOf(text) : [...new Set([...foldingsOf(text), ...foldingsOf(decoded)])];
}

/** The first reading of a text, without decoding. */
export function foldText(text: string): string {
  return foldingsOf(text)[0] ?? '';
}

/**
 * Folds a character to the ASCII characters that it is read as: of another width or alphabet, or a digit of any script.
 * Other characters stay as they are, so that no text grows much.
 */
export function foldCharacter(char: string): string {
  if (IGNORABLE.test(char)) return '';
  // Separators of domain labels other than the full stop (RFC 3490 section 3.1).
  if (char === '\u3002' || char === '\uff61') return '.';
  const code = char.codePointAt(0) ?? 0;
  if (/\p{Nd}/u.test(char)) return String(digitOf(code));
  const one = CIRCLED_ONES.find((start) => code >= start && code < start + 9);
  if (one !== undefined) return String(code - one + 1);
  if (code === 0x24ff) return '0';
  const plain = char.normalize('NFKC');
  return /^[ -~]+$/.test(plain) ? plain : char;
}

/** The digits of a script are in the order of their values (Unicode Standard, section 4.6). */
function digitOf(code: number): number {
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}

function foldingsOf(text: string): string[] {
  if (isAscii(text)) return [text];
  const joined = text.replace(/[^\0-\x7f]/gu, foldCached);
  // Nobody hides borders in a long text, so its characters are folded only once.
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
