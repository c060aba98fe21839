/** DuckDB: reads the objects from R2, or from a folder after `npm run events -- pull`. Pure. */

import { LOG_PREFIX, logKey, WATERMARK_KEY } from '../../storage/keys.ts';
import {
  addLaterColumns,
  columnNames,
  defineColumns,
  LOG_COLUMNS,
  NO_WATERMARK,
  namesOf,
  OBJECT_KEY,
  TABLE,
  type Types,
  typed,
  WATERMARK_COLUMNS,
  withNotNull,
} from './columns.ts';
import { type Dialect, STANDARD } from './dialect.ts';

/** DuckDB types. All times are UTC, so TIMESTAMP suffices and needs no time zone extension. */
const TYPES: Types = {
  text: 'VARCHAR',
  timestamp: 'TIMESTAMP',
  date: 'DATE',
  integer: 'INTEGER',
  texts: 'VARCHAR[]',
  faults: 'JSON',
  count: 'BIGINT',
  boolean: 'BOOLEAN',
};

/** Time zones need ICU, which is part of every DuckDB build. */
export const DUCKDB = {
  ...STANDARD,
  types: TYPES,
  timestamp: (utc) => `TIMESTAMP '${utc}'`,
  localDate: (time, zone) => `CAST(timezone(${zone}, timezone('UTC', ${time})) AS DATE)`,
  addDays: (date, days) => `${date} + CAST(${days} AS INTEGER)`,
  daysBetween: (from, to) => `${to} - ${from}`,
  countUp: (count) => `CROSS JOIN LATERAL (SELECT unnest(range(${count})) AS counter) counted`,
  counter: 'counted.counter',
  // By a single sort expression DuckDB keeps the maximum in a hash table; by several it sorts, in five times the time.
  latestFirst: (time, eventId) => `create_sort_key(${time}, 'ASC NULLS FIRST', ${eventId}, 'ASC NULLS FIRST') DESC`,
} satisfies Dialect;

/**
 * Converts a Parquet timestamp, which has a zone, to a UTC time without one. A cast works too, but it calls ICU for
 * each value, which takes ten times as long as reading it.
 */
export function withoutZone(time: string): string {
  return `make_timestamp(epoch_us(${time}))`;
}

/**
 * A table function that reads NDJSON with the columns of the row, so that no type is guessed: an id of digits stays
 * text.
 *
 * @param files - A glob or a list of paths, as SQL.
 * @param more - Further arguments, beginning with a comma.
 */
export function readRows(files: string, more = ''): string {
  const columns = TABLE.map(({ name, type }) => `${name}: '${TYPES[type]}'`).join(', ');
  return `read_json(${files}, format = 'newline_delimited', hive_partitioning = false, columns = {${columns}}${more})`;
}

export function tableDefinition(): string {
  return `CREATE TABLE IF NOT EXISTS events (\n${defineColumns(TYPES, withNotNull(TYPES))}\n);`;
}

export function duckdb(): string {
  const names = columnNames('  ');
  return `\
${tableDefinition()}
${addLaterColumns('events', TYPES)}
-- The log entries that are loaded, and the watermarks that were reached.
CREATE TABLE IF NOT EXISTS event_parts (${typed(LOG_COLUMNS, TYPES)});
CREATE TABLE IF NOT EXISTS event_watermarks (${typed(WATERMARK_COLUMNS, TYPES)});

-- Where the objects are: R2 ('r2://<bucket>/', after INSTALL httpfs and
--   CREATE SECRET (TYPE r2, KEY_ID '<key>', SECRET '<secret>', ACCOUNT_ID '<account>');
-- ), or a folder with a copy, such as npm run events -- pull files makes of events/.
SET VARIABLE root = 'files/';

-- Run everything from here again to load what is new. It is one transaction.
BEGIN TRANSACTION;
-- Entries are selected by name, so that loaded ones are not read again. Only the last one and its part are, since
-- DuckDB cannot read an empty list of files.
SET VARIABLE entries = (
  SELECT CASE WHEN COUNT(*) > 0 THEN LIST(file) ELSE error('Nothing is published yet in ' || getvariable('root')) END
  FROM glob(getvariable('root') || '${LOG_PREFIX}*.json')
  WHERE RIGHT(file, ${logKey(0).length - LOG_PREFIX.length}) >= (
    SELECT LPAD(CAST(COALESCE(MAX(sequence), 0) AS VARCHAR), 20, '0') FROM event_parts
  )
);
CREATE OR REPLACE TEMP TABLE new_parts AS
SELECT * FROM ${readColumns("getvariable('entries')", LOG_COLUMNS)};
SET VARIABLE parts = (
  SELECT LIST(getvariable('root') || key) FROM new_parts
  WHERE key NOT IN (SELECT replaces FROM new_parts WHERE replaces IS NOT NULL)
);
CREATE OR REPLACE TEMP TABLE new_events AS
SELECT
  ${names},
  SUBSTRING(filename, LENGTH(getvariable('root')) + 1) AS ${OBJECT_KEY}
FROM ${readRows("getvariable('parts')", ', filename = true')};

-- Delete the rows of replaced parts, including those that the replacement does not have.
DELETE FROM events WHERE ${OBJECT_KEY} IN (SELECT replaces FROM new_parts);
DELETE FROM events WHERE event_id IN (SELECT event_id FROM new_events);
INSERT INTO events (
  ${names}, ${OBJECT_KEY}
)
SELECT
  ${names}, ${OBJECT_KEY}
FROM new_events;

INSERT INTO event_parts (${namesOf(LOG_COLUMNS)})
SELECT ${namesOf(LOG_COLUMNS)} FROM new_parts WHERE sequence NOT IN (SELECT sequence FROM event_parts);

-- Rows are complete up to complete_through once the log is loaded up to log_sequence. Without a watermark, a log
-- entry is read instead, which adds nothing.
SET VARIABLE watermark = (
  SELECT COALESCE(LIST(file), getvariable('entries')[-1:]) FROM glob(getvariable('root') || '${WATERMARK_FILES}')
);
INSERT INTO event_watermarks (${namesOf(WATERMARK_COLUMNS)})
SELECT ${namesOf(WATERMARK_COLUMNS)} FROM ${readColumns("getvariable('watermark')", WATERMARK_COLUMNS)}
WHERE log_sequence BETWEEN 1 AND (SELECT MAX(sequence) FROM event_parts)
  AND complete_through > (SELECT COALESCE(MAX(complete_through), TIMESTAMP '1970-01-01') FROM event_watermarks);
COMMIT;
SELECT COALESCE('Complete up to ' || MAX(complete_through), '${NO_WATERMARK}') AS loaded FROM event_watermarks;
`;
}

/**
 * A glob that only matches the watermark: for a name without wildcards, httpfs does not check that the object exists.
 */
const WATERMARK_FILES = WATERMARK_KEY.replace('.json', '*.json');

function readColumns(files: string, columns: Readonly<Record<string, keyof Types>>): string {
  return `read_json(${files}, columns = {${Object.entries(columns)
    .map(([name, type]) => `${name}: '${TYPES[type]}'`)
    .join(', ')}})`;
}
