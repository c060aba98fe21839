/** The elements of a JSON array as they are written: what is parsed and written again may have lost digits. Pure. */

import { skipBlanks } from './blanks.ts';
import { tokenAt } from './tokens.ts';

/**
 * Splits a text that is one JSON array (RFC 8259) at its top level.
 *
 * @param text - Text that JSON.parse takes for an array.
 */
export function splitArray(text: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = 0;
  let end = 0;
  for (let token = tokenAt(text, skipBlanks(text, 0)); token !== undefined; ) {
    const { kind } = token;
    if (kind === ']' || kind === '}') depth -= 1;
    const closes = depth === 0 || (depth === 1 && kind === ',');
    if (closes && end > start) elements.push(text.slice(start, end));
    if (kind === '[' || kind === '{') depth += 1;
    const opens = depth === 1 && (kind === ',' || (kind === '[' && elements.length === 0 && end === 0));
    const next = skipBlanks(text, token.end);
    if (opens) start = next;
    end = opens ? next : token.end;
    token = tokenAt(text, next);
  }
  return elements;
}
