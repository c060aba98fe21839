/** Snowflake: loads from R2 through an S3-compatible stage. Pure. */

import { defineColumns, type Types, withNotNull } from './columns.ts';
import { type Dialect, replaceView } from './dialect.ts';

const TYPES: Types = {
  text: 'VARCHAR',
  timestamp: 'TIMESTAMP_TZ',
  date: 'DATE',
  integer: 'INTEGER',
  texts: 'ARRAY',
  faults: 'VARIANT',
  count: 'INTEGER',
};

/** How Snowflake spells the views. */
export const SNOWFLAKE: Dialect = {
  types: TYPES,
  schema: '',
  replaceView,
  timestamp: (utc) => `TO_TIMESTAMP_TZ('${utc}')`,
  localDate: (time, zone) => `TO_DATE(CONVERT_TIMEZONE(${zone}, ${time}))`,
  addDays: (date, days) => `DATEADD(day, ${days}, ${date})`,
  daysBetween: (from, to) => `DATEDIFF(day, ${from}, ${to})`,
  // The end of a range is not in it.
  countUp: (count) => `, LATERAL FLATTEN(INPUT => ARRAY_GENERATE_RANGE(0, ${count})) counted`,
  counter: 'CAST(counted.value AS INTEGER)',
  anyValue: (expression) => `ANY_VALUE(${expression})`,
  nullable: (expression) => expression,
};

/** The definition of the table, and how it is loaded. */
export function snowflake(): string {
  return `\
CREATE TABLE IF NOT EXISTS events (
${defineColumns(withNotNull(TYPES))}
);

CREATE STAGE IF NOT EXISTS reservation_events
  URL = 's3compat://<bucket>/events/v1/'
  ENDPOINT = '<account>.r2.cloudflarestorage.com'
  CREDENTIALS = (AWS_KEY_ID = '<key>' AWS_SECRET_KEY = '<secret>');

-- Snowflake remembers for 64 days which objects it has loaded and passes them over.
COPY INTO events
  FROM @reservation_events
  PATTERN = '.*[.]ndjson[.]gz'
  FILE_FORMAT = (TYPE = JSON COMPRESSION = GZIP)
  MATCH_BY_COLUMN_NAME = CASE_INSENSITIVE;
`;
}
