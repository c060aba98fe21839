/** The columns of the table, derived from the schema of a row (Iceberg table spec, Schemas and Data Types). Pure. */

import { COLUMNS, factsOf, type Row, SCHEMA_VERSION } from '../../contract/row.ts';

type IcebergType =
  | 'timestamptz'
  | 'date'
  | 'int'
  | 'long'
  | 'string'
  | {
      readonly type: 'list';
      readonly 'element-id': number;
      readonly element: 'string';
      readonly 'element-required': true;
    };

/** A column, as written in the metadata of the table. */
export interface IcebergField {
  readonly id: number;
  readonly name: string;
  readonly required: boolean;
  readonly type: IcebergType;
}

/** The column that only the table has: the sequence in `events/v1/_log/` of the part that a row comes from. */
export const PART_COLUMN = 'part';

/** Each version of the row has the schema of the same number. */
export const SCHEMA_ID = SCHEMA_VERSION;

/**
 * Field ids, which never change. They are assigned version by version, so that an added column gets a later id wherever
 * it stands: first to the columns, in the first version then to `part`, and then to list elements.
 */
const IDS = new Map<string, number>();
for (let version = 1; version <= SCHEMA_ID; version++) {
  const columns = COLUMNS.filter((name) => factsOf(name).since === version);
  const lists = columns.filter((name) => factsOf(name).type === 'texts').map((name) => `${name}.element`);
  for (const name of [...columns, ...(version === 1 ? [PART_COLUMN] : []), ...lists]) IDS.set(name, IDS.size + 1);
}

/** Every column in the order of the row, followed by `part`. */
export const ICEBERG_FIELDS: readonly IcebergField[] = [
  ...COLUMNS.map((name) => ({
    id: idOf(name),
    name,
    // Rows of earlier versions lack an added column.
    required: !factsOf(name).nullable && factsOf(name).since === 1,
    type: typeOf(name),
  })),
  { id: idOf(PART_COLUMN), name: PART_COLUMN, required: true, type: 'long' },
];

/** The schema, as written in the metadata of the table and of its manifests. */
export const ICEBERG_SCHEMA = { type: 'struct', 'schema-id': SCHEMA_ID, fields: ICEBERG_FIELDS } as const;

/** The highest field id. */
export const LAST_COLUMN_ID = IDS.size;

export function idOf(name: string): number {
  const id = IDS.get(name);
  if (id === undefined) throw new Error(`Cannot name the identifier of ${name}: there is no such column`);
  return id;
}

function typeOf(name: keyof Row): IcebergType {
  switch (factsOf(name).type) {
    case 'text':
      return 'string';
    case 'timestamp':
      return 'timestamptz';
    case 'date':
      return 'date';
    case 'integer':
      return 'int';
    case 'texts': {
      const id = idOf(`${name}.element`);
      return { type: 'list', 'element-id': id, element: 'string', 'element-required': true };
    }
  }
}
