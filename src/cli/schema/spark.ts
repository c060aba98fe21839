/** Spark SQL: reads the objects through the S3A connector. Pure. */

import { defineColumns, type Types } from './columns.ts';
import { type Dialect, replaceView } from './dialect.ts';

const TYPES: Types = {
  text: 'STRING',
  timestamp: 'TIMESTAMP',
  date: 'DATE',
  integer: 'INT',
  texts: 'ARRAY<STRING>',
  faults: 'ARRAY<STRUCT<field: STRING, code: STRING>>',
  count: 'BIGINT',
};

/** How Spark spells the views. */
export const SPARK: Dialect = {
  types: TYPES,
  schema: '',
  replaceView,
  timestamp: (utc) => `TIMESTAMP '${utc}'`,
  // With the zone of the session on both sides, so that it does not matter which one that is. Since Spark 3.4.
  localDate: (time, zone) => `TO_DATE(CONVERT_TIMEZONE(${zone}, CAST(${time} AS TIMESTAMP_NTZ)))`,
  addDays: (date, days) => `DATE_ADD(${date}, ${days})`,
  daysBetween: (from, to) => `DATEDIFF(${to}, ${from})`,
  // A sequence from 0 to -1 would count down; explode() makes no row of NULL.
  countUp: (count) =>
    `LATERAL VIEW explode(CASE WHEN ${count} > 0 THEN sequence(0, ${count} - 1) END) counted AS counter`,
  counter: 'counted.counter',
  anyValue: (expression) => `ANY_VALUE(${expression})`,
  nullable: (expression) => expression,
};

/** The definition of the table, and how it is loaded. */
export function spark(): string {
  const columns = defineColumns(({ type }) => TYPES[type]);
  return `\
-- spark.hadoop.fs.s3a.endpoint = https://<account>.r2.cloudflarestorage.com, and the keys of an R2 API token.
SET spark.sql.session.timeZone = UTC;

CREATE TABLE IF NOT EXISTS events (
${columns}
) USING PARQUET;

-- One day. Without recursiveFileLookup Spark would add the folders as columns dt and hour.
CREATE OR REPLACE TEMPORARY VIEW published (
${columns}
) USING JSON OPTIONS (
  path 's3a://<bucket>/events/v1/dt=<YYYY-MM-DD>',
  recursiveFileLookup 'true',
  pathGlobFilter '*.ndjson.gz',
  mode 'FAILFAST'
);

-- What is loaded already is passed over, so running this again changes nothing.
INSERT INTO events
SELECT published.* FROM published LEFT ANTI JOIN events ON published.event_id = events.event_id;
`;
}
