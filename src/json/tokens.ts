/** Splits JSON text (RFC 8259) into tokens, for code that needs more than JSON.parse returns. Pure. */

/** Code units of the structural characters of JSON, and of the quotation mark. */
export const MARKS = { '{': 0x7b, '}': 0x7d, '[': 0x5b, ']': 0x5d, ',': 0x2c, ':': 0x3a, '"': 0x22 } as const;

export type Mark = (typeof MARKS)[keyof typeof MARKS];

/** Whether a code unit is one of them: an array lookup takes a fraction of the time of a Set. */
const IS_MARK = new Uint8Array(0x80);
for (const mark of Object.values(MARKS)) IS_MARK[mark] = 1;

/**
 * Visits each mark and each string, in order, of a text that JSON.parse accepts. Numbers and literals are skipped.
 * Offsets count UTF-16 code units.
 */
export function visitTokens(text: string, visit: (mark: Mark, start: number, end: number) => void): void {
  for (let start = 0; start < text.length; start += 1) {
    const unit = text.charCodeAt(start);
    if (IS_MARK[unit] !== 1) continue;
    const end = unit === QUOTATION_MARK ? endOfString(text, start) : start + 1;
    visit(unit as Mark, start, end);
    start = end - 1;
  }
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    // An even number of backslashes before it escape each other, not the quotation mark.
    if ((end - before) % 2 === 1) return end + 1;
  }
}

const QUOTATION_MARK = MARKS['"'];
const BACKSLASH = 0x5c;

/** Whether a UTF-16 code unit is JSON white space. */
export function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}
