/**
 * Text to one JSON object, as nearly every sender writes it. What is odd about any other text, {@link parseObject}
 * finds out. Pure.
 */

import { mayHoldInexactNumber } from './inexact-number.ts';
import { isBlank, MARKS } from './tokens.ts';

/** The members of one JSON object; values are what JSON.parse makes, InexactNumber and TooDeep. */
export type JsonObject = Readonly<Record<string, unknown>>;

export interface ParsedObject {
  readonly members: JsonObject;
  /** Members whose name stands there more than once, of which the last counts, or with such a name inside. */
  readonly repeated: readonly string[];
}

/**
 * Levels of nesting below the object. Serialising recurses, so depth has to be bounded (RFC 8259 section 9 allows it);
 * the contract itself is flat and 64 levels is more than any PMS sends.
 */
export const MAX_DEPTH = 64;

/** A member of a JSON object that nests too deep; it is kept as the text that was sent. */
export class TooDeep {
  /** The member as the sender wrote it, JSON text. */
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

const NO_NAMES: readonly string[] = [];

/**
 * Parses one JSON object (RFC 8259) of which JSON.parse loses nothing.
 *
 * @returns Undefined for any other text: no object, malformed, nested too deep, with a name that repeats, or with digits
 * that a double may not hold.
 */
export function parsePlainly(text: string): ParsedObject | undefined {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || mayHoldInexactNumber(text))
    return undefined;
  return countMembers(value, MAX_DEPTH) === countNames(text)
    ? { members: value as JsonObject, repeated: NO_NAMES }
    : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How many members the objects in a value have together; undefined when it nests deeper than the limit. */
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
 * How many names a text has, or more: those that JSON.parse drops because they repeat are among them. A colon
 * behind a quotation mark ends a name; in a text it raises a false alarm, which costs time and nothing else.
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
