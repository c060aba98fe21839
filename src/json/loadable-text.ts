/** Replaces the characters that some readers cannot load. Pure. */

/** A whole escape sequence, so that an escaped backslash is never taken for the start of the next escape. */
const ESCAPE = /\\(?:u0000|ud[89a-f][\da-f]{2}|.)/g;

/** Replaces a character that a text column cannot hold (Unicode, replacement character). */
const REPLACEMENT = '\ufffd';

/**
 * Replaces unpaired surrogates and U+0000, which DuckDB, BigQuery and PostgreSQL refuse.
 *
 * @returns The same string when it contains neither.
 */
export function loadableText(text: string): string {
  return text.isWellFormed() && !text.includes('\0') ? text : text.toWellFormed().replaceAll('\0', REPLACEMENT);
}

/**
 * Serialises a value, with {@link loadableText} applied to every name and string at any depth. JSON.stringify always
 * escapes these characters (ECMA-262, QuoteJSONString), so they are replaced in the finished text.
 */
export function jsonText(value: object): string {
  const text = JSON.stringify(value);
  // Checked first, because few texts need it, while JSON nested in a string has an escape for every quotation mark.
  return UNLOADABLE.some((start) => text.includes(start)) ? text.replace(ESCAPE, loadableEscape) : text;
}

const UNLOADABLE = ['\\u0000', '\\ud'];

function loadableEscape(sequence: string): string {
  return UNLOADABLE.some((start) => sequence.startsWith(start)) ? REPLACEMENT : sequence;
}
