/** The members of a JSON object as its text spells them, which JSON.parse does not tell. Pure. */

import { skipBlanks } from './blanks.ts';
import { tokenAt } from './tokens.ts';

/** One member. Offsets count UTF-16 code units. */
export interface Member {
  readonly name: string;
  /** Where its value starts and ends. */
  start: number;
  end: number;
  /** How many levels of objects and lists its value has. */
  depth: number;
  /** Whether its name stood in the object before, or a name stands twice in an object inside its value. */
  repeats: boolean;
}

/**
 * Finds the members of an object, every occurrence of a repeated name included.
 *
 * @param text - The text of one object, which JSON.parse takes.
 */
export function membersOf(text: string): readonly Member[] {
  const members: Member[] = [];
  /** The names in each object that is open; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let expectsName = false;
  let inValue = false;
  let at = skipBlanks(text, 0);
  for (let token = tokenAt(text, at); token !== undefined; token = tokenAt(text, at)) {
    at = skipBlanks(text, token.end);
    const { kind, start, end } = token;
    if (kind === '}' || kind === ']') open.pop();
    if ((kind === ',' && open.length === 1) || open.length === 0) inValue = false;
    const member = members.at(-1);
    if (member !== undefined && inValue) {
      if (member.end === 0) member.start = start;
      member.end = end;
    }
    if (kind === '{' || kind === '[') {
      if (member !== undefined) member.depth = Math.max(member.depth, open.length);
      open.push(kind === '{' ? new Set() : undefined);
    }
    const names = open.at(-1);
    if (kind === 'string' && expectsName && names !== undefined) {
      const name: string = JSON.parse(text.slice(start, end));
      if (open.length === 1) members.push({ name, start: 0, end: 0, depth: 0, repeats: names.has(name) });
      else if (member !== undefined && names.has(name)) member.repeats = true;
      names.add(name);
    }
    if (kind === ':' && open.length === 1) inValue = true;
    expectsName = (kind === '{' || kind === ',') && names !== undefined;
  }
  return members;
}
