/** JSON text as tokens (RFC 8259), for a closer look than JSON.parse gives. Pure. */

/** The pattern of a string, with the characters that RFC 8259 section 7 lets stand unescaped; it needs the flag `u`. */
export const STRING = String.raw`"(?:[ !#-\[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`;
const SCALAR = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null`;
const TOKEN = new RegExp(String.raw`([{}\[\],:])|(${STRING})|(?:${SCALAR})`, 'uy');

/** A punctuation mark, a string, or a number or literal. Offsets count UTF-16 code units. */
export interface Token {
  readonly kind: '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'scalar';
  readonly start: number;
  readonly end: number;
}

/** Reads the token at an offset, where no blank stands; undefined when there is none. */
export function tokenAt(text: string, start: number): Token | undefined {
  TOKEN.lastIndex = start;
  const match = TOKEN.exec(text);
  if (match === null) return undefined;
  const [, mark, string] = match;
  const kind = (mark as Token['kind'] | undefined) ?? (string === undefined ? 'scalar' : 'string');
  return { kind, start, end: TOKEN.lastIndex };
}
