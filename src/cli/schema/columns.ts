/** The columns that table definitions have: those of the row, read off the one schema, and those of the log. Pure. */

import { MEANINGS } from '../../contract/meanings.ts';
import { COLUMNS, type ColumnFacts, type ColumnType, factsOf, type Row } from '../../contract/row.ts';

export interface Column extends Pick<ColumnFacts, 'type' | 'nullable' | 'since'> {
  readonly name: keyof Row;
  /** What it means, in a sentence or two. */
  readonly meaning: string;
}

/**
 * The name that a dialect has for each type, beside those of the row also `faults`, a list of objects with a field and a
 * code, `count`, a whole number of any size, and `boolean`.
 */
export type Types = Readonly<Record<ColumnType | 'faults' | 'count' | 'boolean', string>>;

/** The column beside those of the row: the key of the object that a row was loaded from. Replacing an object needs it. */
export const OBJECT_KEY = 'object_key';

/** All columns, in the order in which they are written. */
export const TABLE: readonly Column[] = COLUMNS.map((name) => ({
  name,
  meaning: MEANINGS[name].meaning,
  ...factsOf(name),
}));

/** The names of the columns, several a line. */
export function columnNames(indent: string): string {
  return wrapped(COLUMNS, indent);
}

/** Items with commas between them, several a line. */
export function wrapped(items: readonly string[], indent: string): string {
  const lines = [''];
  for (const [at, item] of items.entries()) {
    const text = at === items.length - 1 ? item : `${item}, `;
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + text.length + indent.length > 116) lines.push(text);
    else lines[lines.length - 1] = line + text;
  }
  return lines.map((line) => line.trimEnd()).join(`\n${indent}`);
}

/**
 * The columns of a table that is loaded from objects, one a line, with what they mean behind two hyphens.
 *
 * @param define - What stands behind the name.
 */
export function defineColumns(types: Types, define: (column: Column) => string): string {
  const columns = TABLE.map((column) => `  ${column.name} ${define(column)}, -- ${column.meaning}`);
  return [...columns, `  ${OBJECT_KEY} ${types.text} -- The object of the bucket that the row was loaded from.`].join(
    '\n',
  );
}

/** A type with NOT NULL behind it where the column always has a value. */
export function withNotNull(types: Types): (column: Column) => string {
  return ({ type, nullable }) => (nullable ? types[type] : `${types[type]} NOT NULL`);
}

/** Adds to a table the columns of later versions of the schema, one statement each; empty while there are none. */
export function addLaterColumns(
  table: string,
  types: Types,
  define: (column: Column) => string = ({ type }) => types[type],
): string {
  return TABLE.filter(({ since }) => since > 1)
    .map((column) => `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${column.name} ${define(column)};\n`)
    .join('');
}

/** What loaders read and keep of an entry of the log. */
export const LOG_COLUMNS = {
  sequence: 'count',
  key: 'text',
  replaces: 'text',
  first_received_at: 'timestamp',
} as const satisfies Readonly<Record<string, keyof Types>>;

/** What loaders read and keep of the watermark. */
export const WATERMARK_COLUMNS = {
  complete_through: 'timestamp',
  updated_at: 'timestamp',
  log_sequence: 'count',
} as const satisfies Readonly<Record<string, keyof Types>>;

/** What a load says at its end while nothing says up to when the table is complete. */
export const NO_WATERMARK =
  'There is no watermark yet: the rows are loaded, and nothing says up to when they are complete';

/** Columns with their types, separated by commas. */
export function typed(columns: Readonly<Record<string, keyof Types>>, types: Types): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${types[type]}`)
    .join(', ');
}

/** Their names, separated by commas. */
export function namesOf(columns: Readonly<Record<string, keyof Types>>): string {
  return Object.keys(columns).join(', ');
}
