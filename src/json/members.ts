/** Locates the members of a JSON object and the elements of an array in the source text. Pure. */

import { MARKS, visitTokens } from './tokens.ts';

/** One member of an object. Offsets count UTF-16 code units. */
export interface Member {
  readonly name: string;
  /** The start and end of its value. */
  start: number;
  end: number;
  /** The levels of objects and arrays in its value. */
  depth: number;
  /** Whether its name occurred before in the object, or a name occurs twice in an object inside its value. */
  repeats: boolean;
}

/**
 * Finds the members of an object, including every occurrence of a repeated name.
 *
 * @param text - The text of one object, which JSON.parse accepts.
 */
export function membersOf(text: string): readonly Member[] {
  const members: Member[] = [];
  /** The names in each open object; undefined for an open array. */
  const open: (Set<string> | undefined)[] = [];
  let expectsName = false;
  visitTokens(text, (mark, start, end) => {
    const member = members.at(-1);
    const names = open.at(-1);
    switch (mark) {
      case MARKS['{']:
      case MARKS['[']:
        if (member !== undefined) member.depth = Math.max(member.depth, open.length);
        open.push(mark === MARKS['{'] ? new Set() : undefined);
        expectsName = mark === MARKS['{'];
        break;
      case MARKS['}']:
      case MARKS[']']:
        open.pop();
        if (open.length === 0) endValue(member, text, start);
        break;
      case MARKS[',']:
        if (open.length === 1) endValue(member, text, start);
        expectsName = names !== undefined;
        break;
      case MARKS[':']:
        if (open.length === 1 && member !== undefined) member.start = end;
        break;
      case MARKS['"']: {
        if (!expectsName || names === undefined) break;
        expectsName = false;
        const name: string = JSON.parse(text.slice(start, end));
        if (open.length === 1) members.push({ name, start: 0, end: 0, depth: 0, repeats: names.has(name) });
        else if (member !== undefined && names.has(name)) member.repeats = true;
        names.add(name);
      }
    }
  });
  return members;
}

/** Sets the end of a value and trims it. trim() removes nothing but JSON white space, since the text is valid JSON. */
function endValue(member: Member | undefined, text: string, end: number): void {
  if (member === undefined) return;
  const value = text.slice(member.start, end);
  member.start += value.length - value.trimStart().length;
  member.end = member.start + value.trim().length;
}

/**
 * The source text of each element of an array: parsing and serialising an element could lose digits.
 *
 * @param text - The text of one array, which JSON.parse accepts.
 */
export function elementsOf(text: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = 0;
  visitTokens(text, (mark, at, end) => {
    if (mark === MARKS['['] || mark === MARKS['{']) {
      depth += 1;
      if (depth === 1) start = end;
      return;
    }
    if (mark === MARKS[']'] || mark === MARKS['}']) depth -= 1;
    if (mark === MARKS[','] ? depth !== 1 : depth !== 0) return;
    const element = text.slice(start, at).trim();
    if (element !== '') elements.push(element);
    start = end;
  });
  return elements;
}
