/** Spark SQL: reads the objects through the S3A connector. Pure. */

import { WATERMARK_KEY } from '../../storage/keys.ts';
import { columnNames, defineColumns, OBJECT_KEY, TABLE, type Types } from './columns.ts';
import { type Dialect, latestFirst, replaceView } from './dialect.ts';
import { type Feed, LOG_COLUMNS, NDJSON, namesOf, typed, WATERMARK_COLUMNS } from './feed.ts';

const TYPES: Types = {
  text: 'STRING',
  timestamp: 'TIMESTAMP',
  date: 'DATE',
  integer: 'INT',
  texts: 'ARRAY<STRING>',
  faults: 'ARRAY<STRUCT<field: STRING, code: STRING>>',
  count: 'BIGINT',
  boolean: 'BOOLEAN',
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
  latestFirst,
};

/** The definition of the tables, and how they are loaded. */
export function spark(feed: Feed = NDJSON): string {
  const schema = (columns: Readonly<Record<string, keyof Types>>) => typed(columns, TYPES);
  const later = TABLE.filter(({ since }) => since > 1).map(({ name, type }) => `${name} ${TYPES[type]}`);
  return `\
-- spark.hadoop.fs.s3a.endpoint = https://<account>.r2.cloudflarestorage.com, and the keys of an R2 API token.
SET spark.sql.session.timeZone = UTC;

-- By day, so that a day can be written anew when something was added to it or replaced in it: files of Parquet take no
-- DELETE.
CREATE TABLE IF NOT EXISTS events (
${defineColumns(TYPES, ({ type }) => TYPES[type]).replace(/ -- (.*)$/, ', -- $1')}
  received_on DATE
) USING PARQUET PARTITIONED BY (received_on);
${later.length === 0 ? '' : `-- For a table from before these columns, once; Spark knows no IF NOT EXISTS here.\n-- ALTER TABLE events ADD COLUMNS (${later.join(', ')});\n`}
-- The entries of the log that are loaded.
CREATE TABLE IF NOT EXISTS ${feed.parts} (${schema(LOG_COLUMNS)}) USING PARQUET;

CREATE OR REPLACE TEMPORARY VIEW published_log (${schema(LOG_COLUMNS)})
USING JSON OPTIONS (path 's3a://<bucket>/${feed.log}*.json', mode 'FAILFAST');

-- From here on again for what is new. First what is loaded with this run, then the days that it concerns.
DROP TABLE IF EXISTS new_parts;
CREATE TABLE new_parts USING PARQUET AS
SELECT ${namesOf(LOG_COLUMNS)} FROM published_log
WHERE sequence > (SELECT COALESCE(MAX(sequence), 0) FROM ${feed.parts});
SELECT DISTINCT substr(key, ${feed.prefix.length + 'dt='.length + 1}, 10) AS day FROM new_parts ORDER BY day;

-- For each of these days. Without recursiveFileLookup Spark would add the folders as columns dt and hour.
SET day = <YYYY-MM-DD>;
CREATE OR REPLACE TEMPORARY VIEW published (
${TABLE.map(({ name, type }) => `  ${name} ${TYPES[type]}`).join(',\n')}
) USING ${feed.format === 'ndjson' ? 'JSON' : 'PARQUET'} OPTIONS (
  path 's3a://<bucket>/${feed.prefix}dt=\${day}',
  recursiveFileLookup 'true',
  pathGlobFilter '${feed.names.split('/').at(-1)}'${feed.format === 'ndjson' ? ",\n  mode 'FAILFAST'" : ''}
);
INSERT OVERWRITE TABLE events PARTITION (received_on = DATE '\${day}') (
  ${columnNames('  ')}, ${OBJECT_KEY}
)
SELECT
  ${columnNames('  ')}, ${OBJECT_KEY}
FROM (SELECT published.*, regexp_extract(input_file_name(), '${feed.prefix}.*', 0) AS ${OBJECT_KEY} FROM published)
-- A part that another replaces may still be there for a moment.
WHERE ${OBJECT_KEY} NOT IN (SELECT replaces FROM published_log WHERE replaces IS NOT NULL);

-- After the last of them.
INSERT INTO ${feed.parts} (${namesOf(LOG_COLUMNS)})
SELECT ${namesOf(LOG_COLUMNS)} FROM new_parts;
${feed === NDJSON ? `\n${loadWatermark()}` : ''}`;
}

/** Notes up to when the table is complete. */
function loadWatermark(): string {
  return `\
-- Complete up to then, once the log is loaded up to log_sequence.
CREATE TABLE IF NOT EXISTS event_watermarks (${typed(WATERMARK_COLUMNS, TYPES)}) USING PARQUET;
CREATE OR REPLACE TEMPORARY VIEW published_watermark (${typed(WATERMARK_COLUMNS, TYPES)})
USING JSON OPTIONS (path 's3a://<bucket>/${WATERMARK_KEY}', mode 'FAILFAST');
INSERT INTO event_watermarks (${namesOf(WATERMARK_COLUMNS)})
SELECT ${namesOf(WATERMARK_COLUMNS)} FROM published_watermark
WHERE log_sequence BETWEEN 1 AND (SELECT MAX(sequence) FROM event_parts);
`;
}
