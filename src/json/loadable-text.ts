/**
 * JSON text that every reader can load. Pure.
 */

/** One whole escape sequence, so that an escaped backslash is never taken for the start of the next one. */
const ESCAPE = /\\(?:u0000|ud[89a-f][\da-f]{2}|.)/g;

/** What stands for a character that has no place in a text column (Unicode, replacement character). */
const REPLACEMENT = '\ufffd';

/**
 * Replaces unpaired surrogates and U+0000, which DuckDB, BigQuery and PostgreSQL refuse.
 *
 * @returns The same string when it holds neither.
 */
export function loadableText(text: string): string {
  return text.isWellFormed() && !text.includes('\0') ? text : text.toWellFormed().replaceAll('\0', REPLACEMENT);
}

/**
 * Serialises a value, with {@link loadableText} applied to every name and string however deep. JSON.stringify writes
 * exactly these characters as escapes (ECMA-262, QuoteJSONString), so the finished text is where to find them.
 */
export function jsonText(value: object): string {
  const text = JSON.stringify(value);
  // Few texts hold one, and a text in a text has an escape for every quotation mark.
  return UNLOADABLE.some((start) => text.includes(start)) ? text.replace(ESCAPE, loadableEscape) : text;
}

const UNLOADABLE = ['\\u0000', '\\ud'];

function loadableEscape(sequence: string): string {
  return UNLOADABLE.some((start) => sequence.startsWith(start)) ? REPLACEMENT : sequence;
}
