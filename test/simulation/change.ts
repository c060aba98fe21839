/** A change of the source of one module, which is how a bug is planted. Pure. */

/** A change of one place. */
export interface Change {
  /** The path of the module below `src/`. */
  readonly file: string;
  /** What stands there, in whatever layout. */
  readonly from: string;
  readonly to: string;
}

/** Makes a change. Throws when the source does not have exactly one such place. */
export function applyChange(source: string, { file, from, to }: Change): string {
  const places = Array.from(source.matchAll(new RegExp(patternOf(from), 'g')));
  const [place] = places;
  if (place !== undefined && places.length === 1) {
    return source.slice(0, place.index) + to + source.slice(place.index + place[0].length);
  }
  throw new Error(`Cannot change ${file}: it has ${places.length} times what is to be changed: ${from}`);
}

/** Tokens with any blanks between them, and with a comma before what closes: a formatter may break a line anywhere. */
function patternOf(code: string): string {
  const tokens = code.match(/[\w$]+|[^\s\w$]/g) ?? [];
  return tokens
    .map((token, at) => {
      const bothWords = /^[\w$]/.test(token) && /^[\w$]/.test(tokens[at - 1] ?? '');
      const before =
        at === 0 ? '' : /[)\]}]/.test(token) ? String.raw`\s*(?:,\s*)?` : bothWords ? String.raw`\s+` : String.raw`\s*`;
      return before + RegExp.escape(token);
    })
    .join('');
}
