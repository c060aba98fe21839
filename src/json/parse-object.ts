/**
 * Text to one JSON object, with nothing lost on the way: numbers that a double cannot hold keep their digits, members
 * that nest too deep become text, and repeated names are known. Pure.
 */

import { fail, ok, type Result } from '../result.ts';
import { InexactNumber, isExact, mayHoldInexactNumber } from './inexact-number.ts';
import { membersOf } from './members.ts';
import { locateSyntaxError, type SyntaxFault } from './syntax-error.ts';
import { isBlank } from './tokens.ts';
import { TooDeep } from './too-deep.ts';

/** The members of one JSON object; values are what JSON.parse makes, InexactNumber and TooDeep. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** One JSON object as it was sent. */
export interface ParsedObject {
  readonly members: JsonObject;
  /** Members whose name stands there more than once, of which the last counts, or with such a name inside. */
  readonly repeated: readonly string[];
}

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

/**
 * Levels of nesting below the object. Serialising recurses, so depth has to be bounded (RFC 8259 section 9 allows it);
 * the contract itself is flat and 64 levels is more than any PMS sends.
 */
export const MAX_DEPTH = 64;

const NO_NAMES: readonly string[] = [];

/** Parses `text` as exactly one JSON object (RFC 8259). */
export function parseObject(text: string): Result<ParsedObject, ParseFailure> {
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (typeof value !== 'object') return fail({ reason: 'not_an_object', found: typeof value as 'string' });
  if (value === null) return fail({ reason: 'not_an_object', found: 'null' });
  if (Array.isArray(value)) return fail({ reason: 'not_an_object', found: 'array' });
  if (countMembers(value, MAX_DEPTH) !== countNames(text)) return ok(lookCloser(text));
  const members = mayHoldInexactNumber(text) ? parseExactly(text) : (value as JsonObject);
  return ok({ members, repeated: NO_NAMES });
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

/** How many members the objects in a value have together; undefined when it nests deeper than so many levels. */
function countMembers(value: object, levels: number): number | undefined {
  const members = Object.values(value);
  let count = Array.isArray(value) ? 0 : members.length;
  for (const member of members) {
    if (typeof member !== 'object' || member === null) continue;
    const inside = levels === 0 ? undefined : countMembers(member, levels - 1);
    if (inside === undefined) return undefined;
    count += inside;
  }
  return count;
}

/**
 * How many names stand in a text, or more: those that JSON.parse drops because they repeat are among them. A colon
 * behind a quotation mark ends a name; in a text it raises a false alarm, which costs time and nothing else.
 */
function countNames(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (isBlank(text.charCodeAt(before))) before -= 1;
    if (text.charCodeAt(before) === QUOTATION_MARK) count += 1;
  }
  return count;
}

const QUOTATION_MARK = 0x22;

/** Parses an object that repeats a name or nests too deep. */
function lookCloser(text: string): ParsedObject {
  const found = membersOf(text);
  const last = new Map(found.map((member) => [member.name, member]));
  const deep = found.filter(({ depth }) => depth > MAX_DEPTH);
  let shallow = text;
  for (const { start, end } of deep.toReversed()) shallow = `${shallow.slice(0, start)}null${shallow.slice(end)}`;
  const members: Record<string, unknown> = parseExactly(shallow);
  for (const member of deep) {
    const { name, start, end } = member;
    if (last.get(name) === member) members[name] = new TooDeep(text.slice(start, end));
  }
  return { members, repeated: found.filter(({ repeats }) => repeats).map(({ name }) => name) };
}

/** Parses with the text of each number at hand, in time that only odd bodies are worth. */
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
