/**
 * Parses text as one JSON object on the fast path, which serves nearly every sender. {@link parseObject} handles all
 * other text. Pure.
 */

import { mayHoldInexactNumber } from './inexact-number.ts';
import { isBlank, MARKS } from './tokens.ts';

/** The members of one JSON object. Values are those of JSON.parse, InexactNumber or TooDeep. */
export type JsonObject = Readonly<Record<string, unknown>>;

export interface ParsedObject {
  readonly members: JsonObject;
  /** Names that occur more than once (the last value is used), or whose value contains a repeated name. */
  readonly repeated: readonly string[];
}

/**
 * Levels of nesting below the object at most. Serialising recurses, so depth has to be bounded (RFC 8259 section 9
 * allows it). The contract itself is flat, and no PMS sends as many as 64 levels.
 */
export const MAX_DEPTH = 64;

/** A member of a JSON object that is nested too deep. */
export class TooDeep {
  /** The JSON text of the member, as sent. */
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

const NO_NAMES: readonly string[] = [];

/**
 * Parses one JSON object (RFC 8259) that JSON.parse reads without loss.
 *
 * @returns Undefined for any other text: not an object, malformed, nested too deep, with a repeated name, or with a
 * number that a double may not hold.
 */
export function parsePlainly(text: string): ParsedObject | undefined {
  const value = parseOrUndefined(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || mayHoldInexactNumber(text))
    return undefined;
  return countMembers(value, MAX_DEPTH) === countNames(text)
    ? { members: value as JsonObject, repeated: NO_NAMES }
    : undefined;
}

/** What JSON.parse returns, or undefined for a text that is not JSON. */
export function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The number of members of all objects in a value. Undefined when it is nested deeper than `levels`. */
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
 * The number of names in a text, including repeated ones, which JSON.parse drops. A name is counted where a colon
 * follows a quotation mark. Inside a string that makes the count too high, which only costs time.
 */
function countNames(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (isBlank(text.charCodeAt(before))) before -= 1;
    if (text.charCodeAt(before) === MARKS['"']) count += 1;
  }
  return count;
}
