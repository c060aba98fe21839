/**
 * Finds where and why a text stops being JSON. The engine's error message does not always give a position, and it
 * quotes the body, which no answer may do; so the position is found here after JSON.parse has refused the text. Pure.
 */

import { isBlank } from './tokens.ts';

/** Syntax errors, classified by what the sender has to change. */
export type SyntaxFault =
  | 'ends_too_early'
  | 'text_after_the_end'
  | 'control_character'
  | 'bad_escape'
  | 'wrong_quotes'
  | 'unquoted_name'
  | 'unknown_word'
  | 'not_a_number'
  | 'bad_number'
  | 'comment'
  | 'comma_too_many'
  | 'comma_missing'
  | 'colon_missing'
  | 'markup'
  | 'template'
  | 'unexpected';

/** A fault and its offset in UTF-16 code units. */
export interface LocatedFault {
  readonly fault: SyntaxFault;
  readonly offset: number;
}

/** A string, with the characters that RFC 8259 section 7 allows unescaped. */
const STRING = String.raw`"(?:[ !#-\[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`;
const SCALAR = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null`;
const TOKEN = new RegExp(String.raw`([{}\[\],:])|(${STRING})|(?:${SCALAR})`, 'uy');

/** A punctuation mark, a string, or a number or literal. Offsets count UTF-16 code units. */
interface Token {
  readonly kind: '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'scalar';
  readonly start: number;
  readonly end: number;
}

/** Reads the token at an offset that is not white space. Undefined when there is none. */
function tokenAt(text: string, start: number): Token | undefined {
  TOKEN.lastIndex = start;
  const match = TOKEN.exec(text);
  if (match === null) return undefined;
  const [, mark, string] = match;
  const kind = (mark as Token['kind'] | undefined) ?? (string === undefined ? 'scalar' : 'string');
  return { kind, start, end: TOKEN.lastIndex };
}

/** What may come next. The `first` forms also allow the container to close. */
type Expected = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'comma or end' | 'nothing';

/**
 * Finds the first character at which `text` is no longer JSON (RFC 8259), and what is wrong with it.
 *
 * @param text - A text that JSON.parse refuses.
 * @returns undefined when the text turns out to be JSON.
 */
export function locateSyntaxError(text: string): LocatedFault | undefined {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let last: Token | undefined;
  for (;;) {
    const start = skipBlanks(text, last?.end ?? 0);
    const token = tokenAt(text, start);
    if (token === undefined && start === text.length && expected === 'nothing') return undefined;
    const next: Expected | undefined = token && step(expected, token.kind, open);
    if (next === undefined) return { offset: start, ...faultAt(text, start, expected, token, last) };
    expected = next;
    last = token;
  }
}

/** The state after `token`, or undefined where it is not allowed. Updates `open`, the stack of containers. */
function step(expected: Expected, token: Token['kind'], open: ('{' | '[')[]): Expected | undefined {
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'comma or end');
  const inside = open.at(-1);
  if (token === ']' || token === '}') {
    const opener = token === ']' ? '[' : '{';
    const closable = expected === 'comma or end' || expected === (token === ']' ? 'first value' : 'first name');
    if (!closable || inside !== opener) return undefined;
    open.pop();
    return afterValue();
  }
  switch (expected) {
    case 'value':
    case 'first value':
      if (token === '{' || token === '[') {
        open.push(token);
        return token === '{' ? 'first name' : 'first value';
      }
      return token === 'string' || token === 'scalar' ? afterValue() : undefined;
    case 'name':
    case 'first name':
      return token === 'string' ? 'colon' : undefined;
    case 'colon':
      return token === ':' ? 'value' : undefined;
    case 'comma or end':
      if (token !== ',') return undefined;
      return inside === '{' ? 'name' : 'value';
    case 'nothing':
      return undefined;
  }
}

/** Determines what is wrong at `start`, and the exact offset when it is inside a string. */
function faultAt(
  text: string,
  start: number,
  expected: Expected,
  token: Token | undefined,
  last: Token | undefined,
): { fault: SyntaxFault; offset?: number } {
  if (start === text.length) return { fault: 'ends_too_early' };
  if (last === undefined && text.startsWith('<', start)) return { fault: 'markup' };
  if (expected === 'first name' && token?.kind === '{' && last?.end === start) return { fault: 'template' };
  if (expected === 'nothing') return { fault: 'text_after_the_end' };
  const rest = text.slice(start, start + 10);
  if (/^(?:\/[/*]|#)/.test(rest)) return { fault: 'comment' };
  if (token === undefined && rest.startsWith('"')) return describeString(text, start);
  if (/^['`´‘’“”„]/.test(rest)) return { fault: 'wrong_quotes' };
  if (/^[+-]?(?:NaN|Infinity|inf)/i.test(rest)) return { fault: 'not_a_number' };
  if (/^[+.\d-]/.test(rest) && token === undefined) return { fault: 'bad_number' };
  const isBehindNumber = last?.kind === 'scalar' && last.end === start;
  if (isBehindNumber && /^[\w.]/.test(rest))
    return { fault: /\d$/.test(text.slice(0, start)) ? 'bad_number' : 'unknown_word' };
  const isName = expected === 'name' || expected === 'first name';
  if (/^[\p{L}_$]/u.test(rest) || (isName && token?.kind === 'scalar'))
    return { fault: isName ? 'unquoted_name' : 'unknown_word' };
  if (token?.kind === ',' || (last?.kind === ',' && (token?.kind === '}' || token?.kind === ']')))
    return { fault: 'comma_too_many' };
  if (expected === 'colon') return { fault: 'colon_missing' };
  const startsValue = token !== undefined && !/^[\]}:]$/.test(token.kind);
  return { fault: expected === 'comma or end' && startsValue ? 'comma_missing' : 'unexpected' };
}

/** Finds what is wrong with the string that starts at an offset. */
function describeString(text: string, start: number): { fault: SyntaxFault; offset: number } {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charCodeAt(at) < 0x20) return { fault: 'control_character', offset: at };
    if (text.charAt(at) !== '\\') continue;
    const sequence = text.slice(at, at + 6);
    if (!/^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/.test(sequence)) {
      const breaksOff = at + sequence.length === text.length && /^\\(?:u[\da-fA-F]{0,3})?$/.test(sequence);
      return breaksOff ? { fault: 'ends_too_early', offset: text.length } : { fault: 'bad_escape', offset: at };
    }
    at += 1;
  }
  return { fault: 'ends_too_early', offset: text.length };
}

/** The offset of the first character at or after `from` that is not white space (RFC 8259 section 2). */
function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}
