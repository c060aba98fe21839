/** DuckDB: reads the objects where they are, or after `npm run events -- pull`. Pure. */

import { defineColumns, TABLE, type Types, withNotNull } from './columns.ts';
import { type Dialect, replaceView } from './dialect.ts';

/** The types of DuckDB. Times are UTC in all columns, so TIMESTAMP does, and needs no time zone extension. */
const TYPES: Types = {
  text: 'VARCHAR',
  timestamp: 'TIMESTAMP',
  date: 'DATE',
  integer: 'INTEGER',
  texts: 'VARCHAR[]',
  faults: 'JSON',
};

/** How DuckDB spells the views. Zones need ICU, which comes with every build of DuckDB. */
export const DUCKDB: Dialect = {
  types: TYPES,
  schema: '',
  replaceView,
  timestamp: (utc) => `TIMESTAMP '${utc}'`,
  localDate: (time, zone) => `CAST(timezone(${zone}, timezone('UTC', ${time})) AS DATE)`,
  addDays: (date, days) => `${date} + CAST(${days} AS INTEGER)`,
  daysBetween: (from, to) => `${to} - ${from}`,
  countUp: (count) => `CROSS JOIN LATERAL (SELECT unnest(range(${count})) AS counter) counted`,
  counter: 'counted.counter',
  nullable: (expression) => expression,
};

/**
 * A table function that reads NDJSON with the columns of the row, so that nothing is guessed: an id of digits stays text.
 *
 * @param files - A glob, or a list of paths, as SQL.
 */
export function readRows(files: string): string {
  const columns = TABLE.map(({ name, type }) => `${name}: '${TYPES[type]}'`).join(', ');
  return `read_json(${files}, format = 'newline_delimited', hive_partitioning = false, columns = {${columns}})`;
}

/** The definition of the table. */
export function tableDefinition(): string {
  return `CREATE TABLE IF NOT EXISTS events (\n${defineColumns(withNotNull(TYPES))}\n);`;
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
