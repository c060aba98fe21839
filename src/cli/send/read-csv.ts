/** Reads a table as events: one per row, with the fields that its columns name. */

import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { FIELDS, type Field } from '../../contract/fields.ts';
import { fieldMeant } from '../../contract/names.ts';
import { UsageError } from '../usage.ts';
import type { EventText } from './outgoing.ts';
import { readFileLines } from './read-lines.ts';

/** Column separators: a comma, or what spreadsheets write where the comma is the decimal separator. */
const DELIMITERS = [',', ';', '\t'];

/**
 * Reads a CSV file (RFC 4180) in UTF-8. An empty cell is not sent; an unknown column is sent under its own name.
 *
 * @throws UsageError when a required field has no column, when a field has two, and when a row cannot be read.
 */
export async function* readCsv(file: string): AsyncGenerator<EventText> {
  const { value: header } = await readFileLines(file).next();
  // The parser asks for no names then.
  if (header === undefined) namesOf([]);
  const parser = parse({
    columns: namesOf,
    delimiter: delimiterOf(header ?? ''),
    info: true,
    skip_empty_lines: true,
    trim: true,
  });
  try {
    const rows = Readable.from(withEnds(readFileLines(file))).compose(parser);
    for await (const { record, info } of rows) yield { line: info.lines, body: JSON.stringify(eventOf(record)) };
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    throw new UsageError(`Cannot read ${file}: ${error.message}`, { cause: error });
  }
}

async function* withEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

/** The field names under which the columns are sent. */
function namesOf(header: readonly string[]): string[] {
  // Spreadsheets also write empty columns on the right; if such a column has values, it gets a name.
  const names = header.map((name, index) => fieldMeant(name)?.wire ?? (name || `column ${index + 1}`));
  const missing = FIELDS.filter(({ required, wire }) => required && !names.includes(wire)).map(({ wire }) => wire);
  if (missing.length > 0) {
    throw new UsageError(
      `Cannot read the table: it has no column for ${missing.join(', ')}; name its columns in the first line`,
    );
  }
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) {
    const columns = header.filter((_, index) => names[index] === repeated);
    throw new UsageError(
      `Cannot read the table: the columns ${columns.join(' and ')} are both ${repeated}; delete or rename one of them`,
    );
  }
  return names;
}

function eventOf(row: Readonly<Record<string, string>>): object {
  const cells = Object.entries(row).filter(([, text]) => text !== '');
  return Object.fromEntries(cells.map(([name, text]) => [name, cellValue(fieldMeant(name), text)]));
}

function cellValue(field: Field | undefined, text: string): string | number {
  return field?.kind === 'count' && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** The separator that is most frequent in the header. */
function delimiterOf(header: string): string {
  const times = (delimiter: string) => header.split(delimiter).length;
  return DELIMITERS.toSorted((a, b) => times(b) - times(a))[0] ?? ',';
}
