/** White space of JSON (RFC 8259 section 2). Pure. */

/** The offset of the first character from an offset on that is no white space of JSON. */
export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** Whether a UTF-16 code unit is white space of JSON. */
export function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}
