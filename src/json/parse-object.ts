/**
 * Text to one JSON object, with nothing lost on the way: numbers that a double cannot hold keep their digits. Pure.
 */

import { fail, ok, type Result } from '../result.ts';
import { InexactNumber, isExact, mayHoldInexactNumber } from './inexact-number.ts';
import { locateSyntaxError } from './syntax-error.ts';

/** The members of one JSON object; values are what JSON.parse makes, and InexactNumber. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Why a text is not one usable JSON object. `offset` counts UTF-16 code units, `line` and `column` start at 1. */
export type ParseFailure =
  | { readonly reason: 'empty' }
  | { readonly reason: 'malformed'; readonly offset: number; readonly line: number; readonly column: number }
  | { readonly reason: 'not_an_object'; readonly found: 'array' | 'string' | 'number' | 'boolean' | 'null' }
  | { readonly reason: 'too_deep'; readonly limit: number };

/**
 * Levels of nesting below the object. Serialising recurses, so depth has to be bounded (RFC 8259 section 9 allows it);
 * the contract itself is flat and 64 levels is more than any PMS sends.
 */
export const MAX_DEPTH = 64;

/** Parses `text` as exactly one JSON object (RFC 8259). A repeated name counts as its last value. */
export function parseObject(text: string): Result<JsonObject, ParseFailure> {
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (typeof value !== 'object') return fail({ reason: 'not_an_object', found: typeof value as 'string' });
  if (value === null) return fail({ reason: 'not_an_object', found: 'null' });
  if (Array.isArray(value)) return fail({ reason: 'not_an_object', found: 'array' });
  if (isDeeperThan(value, MAX_DEPTH)) return fail({ reason: 'too_deep', limit: MAX_DEPTH });
  return ok(mayHoldInexactNumber(text) ? (JSON.parse(text, keepDigits) as JsonObject) : (value as JsonObject));
}

function parseJson(text: string): Result<unknown, ParseFailure> {
  try {
    return ok(JSON.parse(text));
  } catch {
    const offset = locateSyntaxError(text) ?? text.length;
    if (/^[ \t\n\r]*$/.test(text)) return fail({ reason: 'empty' });
    const before = text.slice(0, offset);
    const lineStart = before.lastIndexOf('\n') + 1;
    return fail({
      reason: 'malformed',
      offset,
      line: before.split('\n').length,
      column: offset - lineStart + 1,
    });
  }
}

function isDeeperThan(value: object, levels: number): boolean {
  for (const member of Object.values(value)) {
    if (typeof member !== 'object' || member === null) continue;
    if (levels === 0 || isDeeperThan(member, levels - 1)) return true;
  }
  return false;
}

/** A JSON.parse reviver with the source text of each value (ECMA-262, JSON.parse source text access). */
function keepDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && !isExact(source, value)
    ? new InexactNumber(source)
    : value;
}
