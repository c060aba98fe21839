/** The columns of the row as table definitions see them, read off the one schema. Pure. */

import { jsonSchemaOf } from '../../contract/json-schema.ts';
import { MEANINGS } from '../../contract/meanings.ts';
import { COLUMNS, type Row, RowSchema } from '../../contract/row.ts';

/** What a column holds, for the type systems of databases. `texts` is a list of text. */
type ColumnType = 'text' | 'timestamp' | 'date' | 'integer' | 'texts';

/** One column. */
export interface Column {
  readonly name: keyof Row;
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** What it means, in a sentence or two. */
  readonly meaning: string;
}

/** The name that a dialect has for each type. `faults` is a list of objects with a field and a code. */
export type Types = Readonly<Record<ColumnType | 'faults', string>>;

/** All columns, in the order in which they are written. */
export const TABLE: readonly Column[] = COLUMNS.map((name) => {
  const schema = jsonSchemaOf(RowSchema.entries[name]);
  // A column with one value says which, and not of which type it is.
  const types: readonly string[] = [schema.type ?? typeof schema.const].flat();
  return {
    name,
    type: typeOf(name, types, schema.format),
    nullable: types.includes('null'),
    meaning: MEANINGS[name].meaning,
  };
});

function typeOf(name: string, types: readonly string[], format: string | undefined): ColumnType {
  if (types.includes('array')) return 'texts';
  if (types.includes('integer') || types.includes('number')) return 'integer';
  if (!types.includes('string'))
    throw new Error(`Cannot describe the column ${name}: it is neither text, list nor number`);
  if (format === 'date-time') return 'timestamp';
  return format === 'date' ? 'date' : 'text';
}

/**
 * The columns of a table, one a line, with what they mean behind two hyphens.
 *
 * @param define - What stands behind the name.
 */
export function defineColumns(define: (column: Column) => string): string {
  return TABLE.map((column, at) => {
    const comma = at === TABLE.length - 1 ? '' : ',';
    return `  ${column.name} ${define(column)}${comma} -- ${column.meaning}`;
  }).join('\n');
}

/** A type with NOT NULL behind it where the column always has a value. */
export function withNotNull(types: Types): (column: Column) => string {
  return ({ type, nullable }) => (nullable ? types[type] : `${types[type]} NOT NULL`);
}
