/** The columns of a row as Parquet types, read off the one schema. Pure. */

import type { schemaFromColumnData } from 'hyparquet-writer';
import { COLUMNS, factsOf, type Row } from '../../contract/row.ts';

/** A node of a file's schema (parquet-format, SchemaElement). */
export type SchemaElement = ReturnType<typeof schemaFromColumnData>[number];

/** One column of a file. */
export interface ParquetColumn {
  readonly name: keyof Row;
  /** The column and what is nested in it, in the order of the file's schema. */
  readonly elements: readonly [SchemaElement, ...SchemaElement[]];
  /** The value that the writer takes, of a value that is not null. */
  readonly convert: (value: NonNullable<unknown>) => unknown;
}

const MS_PER_DAY = 86_400_000;

const asIs = (value: unknown) => value;
const asMilliseconds = (value: unknown) => BigInt(Date.parse(String(value)));
const asDays = (value: unknown) => Date.parse(String(value)) / MS_PER_DAY;

/** Every column, in the order of the row. */
export const PARQUET_COLUMNS: readonly ParquetColumn[] = COLUMNS.map(describe);

function describe(name: keyof Row): ParquetColumn {
  const { type, nullable } = factsOf(name);
  const repetition_type = nullable ? 'OPTIONAL' : 'REQUIRED';
  switch (type) {
    case 'timestamp': {
      const logical_type = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } as const;
      const element: SchemaElement = {
        name,
        type: 'INT64',
        converted_type: 'TIMESTAMP_MILLIS',
        logical_type,
        repetition_type,
      };
      return { name, elements: [element], convert: asMilliseconds };
    }
    case 'date': {
      const logical_type = { type: 'DATE' } as const;
      const element: SchemaElement = { name, type: 'INT32', converted_type: 'DATE', logical_type, repetition_type };
      return { name, elements: [element], convert: asDays };
    }
    case 'integer':
      return { name, elements: [{ name, type: 'INT32', repetition_type }], convert: asIs };
    case 'texts':
      return { name, elements: listOf(name, repetition_type), convert: asIs };
    case 'text':
      return { name, elements: [text(name, repetition_type)], convert: asIs };
  }
}

function text(name: string, repetition_type: 'OPTIONAL' | 'REQUIRED'): SchemaElement {
  return { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' }, repetition_type };
}

/** A list in three levels (parquet-format, LogicalTypes, Lists). */
function listOf(
  name: string,
  repetition_type: 'OPTIONAL' | 'REQUIRED',
): readonly [SchemaElement, SchemaElement, SchemaElement] {
  return [
    { name, converted_type: 'LIST', logical_type: { type: 'LIST' }, repetition_type, num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    text('element', 'REQUIRED'),
  ];
}
