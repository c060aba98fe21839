/** A table as events: each row one, each column the field of that name. */

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { parse } from 'csv-parse';
import { FIELDS, type Field } from '../../contract/fields.ts';
import { UsageError } from '../usage.ts';
import type { Found } from './read-events.ts';

/** Names of columns are compared by their letters and digits alone. */
const FIELD_BY_LETTERS = new Map(FIELDS.map((field) => [lettersOf(field.wire), field]));

/** What separates columns: a comma, or what spreadsheets write where the comma is the decimal point. */
const DELIMITERS = [',', ';', '\t'];
const HEADER_BYTES = 65_536;

/**
 * Reads a CSV file (RFC 4180) in UTF-8. An empty cell is a field that is not sent; a column of no known name is sent
 * under its own.
 *
 * @throws UsageError when a required field has no column, or a row cannot be read.
 */
export async function* readCsv(file: string): AsyncGenerator<Found> {
  const rows = createReadStream(file).pipe(
    parse({
      bom: true,
      columns: namesOf,
      delimiter: await delimiterOf(file),
      info: true,
      skip_empty_lines: true,
      trim: true,
    }),
  );
  try {
    for await (const { record, info } of rows) yield { line: info.lines, body: JSON.stringify(eventOf(record)) };
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    throw new UsageError(`Cannot read ${file}: ${error.message}`, { cause: error });
  }
}

/** The names under which the columns are sent. */
function namesOf(header: readonly string[]): string[] {
  const names = header.map((name) => FIELD_BY_LETTERS.get(lettersOf(name))?.wire ?? name);
  const missing = FIELDS.filter(({ required, wire }) => required && !names.includes(wire)).map(({ wire }) => wire);
  if (missing.length > 0) {
    throw new UsageError(
      `Cannot read the table: it has no column for ${missing.join(', ')}; name its columns in the first line`,
    );
  }
  return names;
}

function eventOf(row: Readonly<Record<string, string>>): object {
  const cells = Object.entries(row).filter(([, text]) => text !== '');
  return Object.fromEntries(
    cells.map(([name, text]) => [name, cellValue(FIELD_BY_LETTERS.get(lettersOf(name)), text)]),
  );
}

function cellValue(field: Field | undefined, text: string): string | number {
  return field?.kind === 'count' && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** The delimiter that comes most often in the first line. */
async function delimiterOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    const [header = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1);
    const times = (delimiter: string) => header.split(delimiter).length;
    return DELIMITERS.toSorted((a, b) => times(b) - times(a))[0] ?? ',';
  } finally {
    await handle.close();
  }
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}
