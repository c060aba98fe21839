/** The columns of table definitions: those of the row, derived from its schema, and those of the log. Pure. */

import { MEANINGS } from '../../contract/meanings.ts';
import { COLUMNS, type ColumnFacts, type ColumnType, factsOf, type Row } from '../../contract/row.ts';

export interface Column extends Pick<ColumnFacts, 'type' | 'nullable' | 'since'> {
  readonly name: keyof Row;
  readonly meaning: string;
}

/**
 * A dialect's name for each type. Besides the types of the row there are `faults`, a list of objects with a field and a
 * code, `count`, an integer of any size, and `boolean`.
 */
export type Types = Readonly<Record<ColumnType | 'faults' | 'count' | 'boolean', string>>;

/** An extra column with the key of the object that a row was loaded from. It is needed to replace an object. */
export const OBJECT_KEY = 'object_key';

/** All columns, in the order of the row. */
export const TABLE: readonly Column[] = COLUMNS.map((name) => ({
  name,
  meaning: MEANINGS[name].meaning,
  ...factsOf(name),
}));

/** The names of the columns, wrapped over several lines. */
export function columnNames(indent: string): string {
  return wrapped(COLUMNS, indent);
}

/** Joins items with commas, wrapped over several lines. */
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
 * Column definitions of a table that is loaded from objects, one per line, each followed by its meaning as a comment.
 *
 * @param define - Returns what follows the name.
 */
export function defineColumns(types: Types, define: (column: Column) => string): string {
  const columns = TABLE.map((column) => `  ${column.name} ${define(column)}, -- ${column.meaning}`);
  return [...columns, `  ${OBJECT_KEY} ${types.text} -- The object of the bucket that the row was loaded from.`].join(
    '\n',
  );
}

/** Returns the type of a column, followed by NOT NULL if the column always has a value. */
export function withNotNull(types: Types): (column: Column) => string {
  return ({ type, nullable }) => (nullable ? types[type] : `${types[type]} NOT NULL`);
}

/** Statements that add the columns of later schema versions to a table, one each; empty while there are none. */
export function addLaterColumns(
  table: string,
  types: Types,
  define: (column: Column) => string = ({ type }) => types[type],
): string {
  return TABLE.filter(({ since }) => since > 1)
    .map((column) => `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${column.name} ${define(column)};\n`)
    .join('');
}

/** The members of a log entry that loaders read and store. */
export const LOG_COLUMNS = {
  sequence: 'count',
  key: 'text',
  replaces: 'text',
  first_received_at: 'timestamp',
} as const satisfies Readonly<Record<string, keyof Types>>;

/** The members of the watermark that loaders read and store. */
export const WATERMARK_COLUMNS = {
  complete_through: 'timestamp',
  updated_at: 'timestamp',
  log_sequence: 'count',
} as const satisfies Readonly<Record<string, keyof Types>>;

/** Printed at the end of a load while there is no watermark. */
export const NO_WATERMARK =
  'There is no watermark yet: the rows are loaded, and nothing says up to when they are complete';

/** Column names with their types, separated by commas. */
export function typed(columns: Readonly<Record<string, keyof Types>>, types: Types): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${types[type]}`)
    .join(', ');
}

/** Column names, separated by commas. */
export function namesOf(columns: Readonly<Record<string, keyof Types>>): string {
  return Object.keys(columns).join(', ');
}
