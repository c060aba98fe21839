/** The columns of the table, read off the one schema of a row (Iceberg table spec, Schemas and Data Types). Pure. */

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

/** A column, as the metadata of the table spell it. */
export interface IcebergField {
  readonly id: number;
  readonly name: string;
  readonly required: boolean;
  readonly type: IcebergType;
}

/** The column that is in the table alone: the sequence in `events/v1/_log/` of the part that a row comes from. */
export const PART_COLUMN = 'part';

/** The schema of each version of the row has its number. */
export const SCHEMA_ID = SCHEMA_VERSION;

/**
 * Identifiers, which never change. They are given out version by version, so that a column which is added has a later one
 * wherever it stands: to the columns, in the first version to `part`, and then to what lists are made of.
 */
const IDS = new Map<string, number>();
for (let version = 1; version <= SCHEMA_ID; version++) {
  const columns = COLUMNS.filter((name) => factsOf(name).since === version);
  const lists = columns.filter((name) => factsOf(name).type === 'texts').map((name) => `${name}.element`);
  for (const name of [...columns, ...(version === 1 ? [PART_COLUMN] : []), ...lists]) IDS.set(name, IDS.size + 1);
}

/** Every column in the order of the row, and `part` behind them. */
export const ICEBERG_FIELDS: readonly IcebergField[] = [
  ...COLUMNS.map((name) => ({
    id: idOf(name),
    name,
    // Rows of earlier versions do not have a column that was added.
    required: !factsOf(name).nullable && factsOf(name).since === 1,
    type: typeOf(name),
  })),
  { id: idOf(PART_COLUMN), name: PART_COLUMN, required: true, type: 'long' },
];

/** The schema as the metadata of the table and of its manifests have it. */
export const ICEBERG_SCHEMA = { type: 'struct', 'schema-id': SCHEMA_ID, fields: ICEBERG_FIELDS } as const;

/** The highest identifier. */
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
