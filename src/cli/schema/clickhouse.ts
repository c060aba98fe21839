/** ClickHouse: loads from R2 through its S3 table function. Pure. */

import { defineColumns, TABLE, type Types } from './columns.ts';
import { type Dialect, replaceView } from './dialect.ts';

const TYPES: Types = {
  text: 'String',
  timestamp: "DateTime64(3, 'UTC')",
  // Date begins in 1970, guests do not.
  date: 'Date32',
  integer: 'UInt16',
  texts: 'Array(String)',
  faults: 'String',
  count: 'UInt64',
};

/** How ClickHouse spells the views. */
export const CLICKHOUSE: Dialect = {
  types: TYPES,
  schema: '',
  replaceView,
  timestamp: (utc) => `toDateTime64('${utc.replace('T', ' ').replace('Z', '')}', 3, 'UTC')`,
  // Of the functions that take a zone, those that format a time take it from a column.
  localDate: (time, zone) => `toDate32(formatDateTime(${time}, '%F', ${zone}))`,
  addDays: (date, days) => `addDays(${date}, ${days})`,
  daysBetween: (from, to) => `dateDiff('day', ${from}, ${to})`,
  countUp: (count) => `ARRAY JOIN range(toUInt32(${count})) AS counter`,
  counter: 'counter',
  anyValue: (expression) => `ANY_VALUE(${expression})`,
  nullable: (expression) => `toNullable(${expression})`,
};

/** The definition of the table, and how it is loaded. */
export function clickhouse(): string {
  return `\
CREATE TABLE IF NOT EXISTS events (
${defineColumns(({ type, nullable }) => (nullable ? `Nullable(${TYPES[type]})` : TYPES[type]))}
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(received_at)
ORDER BY (property_id, received_at, event_id);

-- One day; what is loaded already is passed over, so running this again changes nothing.
INSERT INTO events
SELECT ${TABLE.map(({ name }) => name).join(', ')}
FROM s3('https://<account>.r2.cloudflarestorage.com/<bucket>/events/v1/dt=<YYYY-MM-DD>/hour=*/*.ndjson.gz', '<key>', '<secret>', 'JSONEachRow')
WHERE event_id NOT IN (SELECT event_id FROM events WHERE toDate(received_at) = '<YYYY-MM-DD>')
SETTINGS date_time_input_format = 'best_effort', use_hive_partitioning = 0;
`;
}
