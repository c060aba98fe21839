/** DuckDB: reads the objects where they are, or after `npm run events -- pull`. Pure. */

import { defineColumns, TABLE, type Types, withNotNull } from './columns.ts';

/** The types of DuckDB. Times are UTC in all columns, so TIMESTAMP does, and needs no time zone extension. */
const DUCKDB_TYPES: Types = {
  text: 'VARCHAR',
  timestamp: 'TIMESTAMP',
  date: 'DATE',
  integer: 'INTEGER',
  texts: 'VARCHAR[]',
};

/**
 * A table function that reads NDJSON with the columns of the row, so that nothing is guessed: an id of digits stays text.
 *
 * @param files - A glob, or a list of paths, as SQL.
 */
export function readRows(files: string): string {
  const columns = TABLE.map(({ name, type }) => `${name}: '${DUCKDB_TYPES[type]}'`).join(', ');
  return `read_json(${files}, format = 'newline_delimited', hive_partitioning = false, columns = {${columns}})`;
}

/** The definition of the table. */
export function tableDefinition(): string {
  return `CREATE TABLE IF NOT EXISTS events (\n${defineColumns(withNotNull(DUCKDB_TYPES))}\n);`;
}

/** The definition of the table, and how it is loaded. */
export function duckdb(): string {
  return `\
${tableDefinition()}

-- After npm run events -- pull files. To read R2 instead, use r2://<bucket>/events/v1/… after
--   INSTALL httpfs; CREATE SECRET (TYPE r2, KEY_ID '<key>', SECRET '<secret>', ACCOUNT_ID '<account>');
-- What is loaded already is passed over, so running this again changes nothing.
INSERT INTO events SELECT published.* FROM ${readRows("'files/events/v1/dt=*/hour=*/*.ndjson.gz'")} AS published
ANTI JOIN events USING (event_id);
`;
}
