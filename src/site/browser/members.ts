/** The offsets of the members of a JSON object in its text. Pure. */

/** The place of a member. */
export interface Place {
  /** The line of its name, from 0. */
  readonly line: number;
  /** The offset of its name in the text, and of the end of that name. */
  readonly start: number;
  readonly end: number;
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"|[{}[\]:]|\n/g;

/** Finds the members of the object at the top level of `text`, which need not be whole. A repeated name counts as its last. */
export function membersOf(text: string): ReadonlyMap<string, Place> {
  const members = new Map<string, Place>();
  let depth = 0;
  let line = 0;
  let name: { text: string; place: Place } | undefined;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '\n') line += 1;
    else if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token === ':') {
      if (depth === 1 && name !== undefined) members.set(name.text, name.place);
    } else name = { text: unquote(token), place: { line, start: index, end: index + token.length } };
  }
  return members;
}

function unquote(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    // An escape that JSON does not know: no field has such a name.
    return token.slice(1, -1);
  }
}
