/**
 * Parses text as one JSON object without losing anything: numbers that a double cannot hold keep their digits, members
 * that are nested too deep are kept as text, and repeated names are reported. Pure.
 */

import { fail, ok, type Result } from '../result.ts';
import { InexactNumber, isExact } from './inexact-number.ts';
import { membersOf } from './members.ts';
import { MAX_DEPTH, type ParsedObject, parsePlainly, TooDeep } from './parse-plainly.ts';
import { locateSyntaxError, type SyntaxFault } from './syntax-error.ts';

/** Why a text is not one JSON object. `offset` counts UTF-16 code units, `line` and `column` start at 1. */
export type ParseFailure =
  | { readonly reason: 'empty' }
  | {
      readonly reason: 'malformed';
      readonly fault: SyntaxFault;
      readonly offset: number;
      readonly line: number;
      readonly column: number;
    }
  | { readonly reason: 'not_an_object'; readonly found: 'array' | 'string' | 'number' | 'boolean' | 'null' };

/** Parses `text` as exactly one JSON object (RFC 8259). */
export function parseObject(text: string): Result<ParsedObject, ParseFailure> {
  const plain = parsePlainly(text);
  return plain === undefined ? parseClosely(text) : ok(plain);
}

function parseClosely(text: string): Result<ParsedObject, ParseFailure> {
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (typeof value !== 'object') return fail({ reason: 'not_an_object', found: typeof value as 'string' });
  if (value === null) return fail({ reason: 'not_an_object', found: 'null' });
  return Array.isArray(value) ? fail({ reason: 'not_an_object', found: 'array' }) : ok(lookCloser(text));
}

function parseJson(text: string): Result<unknown, ParseFailure> {
  try {
    return ok(JSON.parse(text));
  } catch {
    if (/^[ \t\n\r]*$/.test(text)) return fail({ reason: 'empty' });
    const { fault, offset } = locateSyntaxError(text) ?? { fault: 'unexpected', offset: text.length };
    const before = text.slice(0, offset);
    const lineStart = before.lastIndexOf('\n') + 1;
    return fail({
      reason: 'malformed',
      fault,
      offset,
      line: before.split('\n').length,
      column: offset - lineStart + 1,
    });
  }
}

/** Parses an object that may repeat names, be nested too deep, or hold numbers that a double cannot hold. */
function lookCloser(text: string): ParsedObject {
  const found = membersOf(text);
  const last = new Map(found.map((member) => [member.name, member]));
  const deep = found.filter(({ depth }) => depth > MAX_DEPTH);
  const ends = [0, ...deep.map(({ end }) => end)];
  const starts = [...deep.map(({ start }) => start), text.length];
  const shallow = starts.map((start, at) => text.slice(ends[at], start)).join('null');
  const members: Record<string, unknown> = parseExactly(shallow);
  for (const member of deep) {
    const { name, start, end } = member;
    if (last.get(name) === member) members[name] = new TooDeep(text.slice(start, end));
  }
  return { members, repeated: found.filter(({ repeats }) => repeats).map(({ name }) => name) };
}

/** Parses with the source text of each number at hand. Too slow for ordinary bodies. */
function parseExactly(text: string): Record<string, unknown> {
  return JSON.parse(text, keepDigits);
}

/** A JSON.parse reviver with the source text of each value (ECMA-262, JSON.parse source text access). */
function keepDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && !isExact(source, value)
    ? new InexactNumber(source)
    : value;
}
