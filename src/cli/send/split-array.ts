/** A JSON array in its parts, each as it is written: what is parsed and written again may have lost digits. Pure. */

import { UsageError } from '../usage.ts';
import type { EventText } from './outgoing.ts';

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],\n]/g;

/**
 * Splits an array at its top level; an object counts as an array of one.
 *
 * @returns The parts, with their lines from 1, each on a single line.
 * @throws UsageError when the text is neither.
 */
export function* splitArray(text: string): Generator<EventText> {
  const value = parse(text);
  if (!Array.isArray(value)) {
    yield { line: 1, body: onOneLine(text) };
    return;
  }
  if (value.length === 0) return;
  let depth = 0;
  let line = 1;
  let start = 0;
  let startLine = 1;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '\n') line += 1;
    else if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    const ends = (depth === 1 && token === ',') || depth === 0;
    if (ends && start > 0 && token !== '\n') yield { line: startLine, body: onOneLine(text.slice(start, index)) };
    if (depth === 1 && (token === ',' || (token === '[' && start === 0))) {
      start = index + 1;
      startLine = line + (/^\s*/.exec(text.slice(start))?.[0].split('\n').length ?? 1) - 1;
    }
  }
}

/** A line break in JSON stands between values, never within a string (RFC 8259 section 7). */
function onOneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}

function parse(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`Cannot read the file: it is not JSON. ${error.message}`, { cause: error });
  }
  throw new UsageError('Cannot read the file: it is neither an array of events nor one event');
}
