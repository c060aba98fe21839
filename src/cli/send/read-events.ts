/** Reads the events of a file, in file order. */

import { constants } from 'node:buffer';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { elementsOf } from '../../json/members.ts';
import { UsageError } from '../usage.ts';
import type { EventText } from './outgoing.ts';
import { readCsv } from './read-csv.ts';
import { readFileLines } from './read-lines.ts';

const { MAX_STRING_LENGTH } = constants;

/**
 * Reads a file of events. Only CSV is converted; JSON is sent as it is, valid or not, since the service explains best
 * what is wrong with it.
 *
 * @throws UsageError when the file type is unknown, and when the file is not UTF-8 or cannot be split into events.
 */
export async function* readEvents(file: string): AsyncGenerator<EventText> {
  switch (extname(file).toLowerCase()) {
    case '.ndjson':
    case '.jsonl':
      yield* readNdjson(file);
      return;
    case '.json':
      yield* readArray(file);
      return;
    case '.csv':
      yield* readCsv(file);
      return;
    default:
      throw new UsageError(`Cannot read ${file}: its name ends in none of .json, .ndjson, .jsonl and .csv`);
  }
}

/** Reads an array and returns each element verbatim: parsing and serialising could lose digits. */
async function* readArray(file: string): AsyncGenerator<EventText> {
  if ((await stat(file)).size > MAX_STRING_LENGTH) {
    throw new UsageError(
      `Cannot read ${file}: an array of that size is too large; save it as .ndjson, one event a line`,
    );
  }
  const text = (await Array.fromAsync(readFileLines(file))).join('\n');
  const events = isArray(file, text) ? elementsOf(text) : [text];
  for (const [at, event] of events.entries()) yield { line: at + 1, body: onOneLine(event) };
}

/** Whether a text is an array rather than a single event. @throws UsageError when it is neither. */
function isArray(file: string, text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return Array.isArray(value);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(
      `Cannot read ${file}: it is not JSON (${error.message}); see that it was written to its end, or save it as .ndjson if it has one event a line`,
      { cause: error },
    );
  }
  throw new UsageError(`Cannot read ${file}: it is neither an array of events nor one event`);
}

/** Joins the lines of a JSON text. A line break only occurs between tokens, never in a string (RFC 8259 section 7). */
function onOneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}

async function* readNdjson(file: string): AsyncGenerator<EventText> {
  let line = 0;
  for await (const text of readFileLines(file)) {
    line += 1;
    const body = text.trim();
    if (body !== '') yield { line, body };
  }
}
