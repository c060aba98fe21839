/**
 * Numbers that a double cannot hold: JSON allows any number of digits, but JavaScript keeps about 16 and silently turns
 * the rest into zeros. Such a number is kept as the text that was sent. Pure.
 */

/**
 * A JSON number whose value would change if it were read as a double. It is written as it was sent and remains a
 * number: the type of a value does not depend on its length.
 */
export class InexactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** In digits and points. A shorter number is exact: a double keeps 15 significant digits (IEEE 754). */
const MIN_LENGTH = 16;
const LONG_NUMBER = /[\d.]{16}/;
const LARGE_EXPONENT = /\d[eE][+-]?\d{3}/;

/**
 * Whether a JSON text may hold a number that a double cannot hold: a long run of digits, or an exponent of three
 * digits. Digits inside strings cause false positives, which only cost time.
 */
export function mayHoldInexactNumber(text: string): boolean {
  // Every long run covers one of these offsets, so that most of the text is skipped.
  for (let at = MIN_LENGTH - 1; at < text.length; at += MIN_LENGTH) {
    const unit = text.charCodeAt(at);
    const isOfNumber = (unit >= 0x30 && unit <= 0x39) || unit === 0x2e;
    if (isOfNumber && LONG_NUMBER.test(text.slice(at + 1 - MIN_LENGTH, at + MIN_LENGTH))) return true;
  }
  return LARGE_EXPONENT.test(text);
}

/** JavaScript writes whole numbers of this many digits or more with an exponent (ECMA-262, Number::toString). */
const LONG_WHOLE_NUMBER = /^-?\d{22,}$/;

/** Whether reading `source` as a double keeps its decimal value and, for a whole number, its digits. */
export function isExact(source: string, value: number): boolean {
  return !LONG_WHOLE_NUMBER.test(source) && decimalOf(source) === decimalOf(String(value));
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Normalises a decimal value, so that `1.50`, `15e-1` and `1.5` become the same text. */
function decimalOf(source: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(source) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutZerosAtEnd(digits);
  if (significant === '') return whole === '' ? undefined : '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** Takes linear time; a regular expression would retry each run of zeros from every position in it. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end -= 1;
  return digits.slice(0, end);
}
