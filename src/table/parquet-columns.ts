/** The columns of the table as Parquet types (parquet-format, LogicalTypes; Iceberg table spec, Parquet). Pure. */

import type { schemaFromColumnData } from 'hyparquet-writer';
import { ICEBERG_FIELDS, type IcebergField } from '../storage/iceberg/schema.ts';
import { DAY_MS } from '../storage/keys.ts';

/** A node of a file's schema (parquet-format, SchemaElement). */
export type SchemaElement = ReturnType<typeof schemaFromColumnData>[number];

export interface ParquetColumn {
  readonly name: string;
  /** The column and its nested elements, in the order of the file's schema. */
  readonly elements: readonly SchemaElement[];
  /** Converts a value that is not null to the one that the writer expects. */
  readonly convert: (value: NonNullable<unknown>) => unknown;
}

const asIs = (value: unknown) => value;
const asLong = (value: unknown) => BigInt(Number(value));
const asMicroseconds = (value: unknown) => BigInt(Date.parse(String(value))) * 1_000n;
const asDays = (value: unknown) => Date.parse(String(value)) / DAY_MS;

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;

/** Every column, in the order of the table. */
export const PARQUET_COLUMNS: readonly ParquetColumn[] = ICEBERG_FIELDS.map(columnOf);

function columnOf({ id, name, required, type }: IcebergField): ParquetColumn {
  const element: SchemaElement = { name, field_id: id, repetition_type: required ? 'REQUIRED' : 'OPTIONAL' };
  switch (type) {
    case 'timestamptz': {
      const logical_type = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } as const;
      return {
        name,
        elements: [{ ...element, type: 'INT64', converted_type: 'TIMESTAMP_MICROS', logical_type }],
        convert: asMicroseconds,
      };
    }
    case 'date':
      return {
        name,
        elements: [{ ...element, type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } }],
        convert: asDays,
      };
    case 'int':
      return { name, elements: [{ ...element, type: 'INT32' }], convert: asIs };
    case 'long':
      return { name, elements: [{ ...element, type: 'INT64' }], convert: asLong };
    case 'string':
      return { name, elements: [{ ...element, ...TEXT }], convert: asIs };
    default:
      // A list in three levels (parquet-format, LogicalTypes, Lists).
      return {
        name,
        elements: [
          { ...element, converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1 },
          { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
          { name: 'element', field_id: type['element-id'], repetition_type: 'REQUIRED', ...TEXT },
        ],
        convert: asIs,
      };
  }
}
