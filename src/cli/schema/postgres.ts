/** PostgreSQL: loads files after `npm run events -- pull`. Pure. */

import { defineColumns, type Types, withNotNull } from './columns.ts';
import type { Dialect } from './dialect.ts';

const TYPES: Types = {
  text: 'text',
  timestamp: 'timestamptz',
  date: 'date',
  integer: 'integer',
  texts: 'text[]',
  faults: 'jsonb',
};

/** How PostgreSQL spells the views. */
export const POSTGRES: Dialect = {
  types: TYPES,
  schema: '',
  // CREATE OR REPLACE VIEW takes new columns only at the end.
  replaceView: (name, select) => `DROP VIEW IF EXISTS ${name} CASCADE;\nCREATE VIEW ${name} AS\n${select};`,
  timestamp: (utc) => `TIMESTAMPTZ '${utc}'`,
  localDate: (time, zone) => `CAST(${time} AT TIME ZONE ${zone} AS date)`,
  addDays: (date, days) => `${date} + ${days}`,
  daysBetween: (from, to) => `${to} - ${from}`,
  countUp: (count) => `CROSS JOIN LATERAL generate_series(0, ${count} - 1) AS counted(counter)`,
  counter: 'counted.counter',
  nullable: (expression) => expression,
};

/** The definition of the table, and how it is loaded. */
export function postgres(): string {
  return `\
CREATE TABLE IF NOT EXISTS events (
${defineColumns(withNotNull(TYPES))}
);
CREATE UNIQUE INDEX IF NOT EXISTS events_event_id ON events (event_id);

-- In psql, after npm run events -- pull files. The odd characters keep COPY from finding quotes and columns in JSON.
CREATE TEMPORARY TABLE IF NOT EXISTS lines (line jsonb);
TRUNCATE lines;
\\copy lines FROM PROGRAM 'gunzip --stdout files/events/v1/dt=*/hour=*/*.ndjson.gz' WITH (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')
INSERT INTO events
SELECT row.* FROM lines, jsonb_populate_record(NULL::events, line) AS row
ON CONFLICT (event_id) DO NOTHING;
`;
}
