/** DuckDB: reads the objects where they are, or after `npm run events -- pull`. Pure. */

import { WATERMARK_KEY } from '../../storage/keys.ts';
import {
  addLaterColumns,
  columnNames,
  defineColumns,
  OBJECT_KEY,
  TABLE,
  type Types,
  withNotNull,
  wrapped,
} from './columns.ts';
import { type Dialect, replaceView } from './dialect.ts';
import { type Feed, LOG_COLUMNS, NDJSON, namesOf, typed, WATERMARK_COLUMNS } from './feed.ts';

/** The types of DuckDB. Times are UTC in all columns, so TIMESTAMP does, and needs no time zone extension. */
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
  anyValue: (expression) => `ANY_VALUE(${expression})`,
  nullable: (expression) => expression,
  // Of one expression DuckDB keeps the highest in a hash table, several it sorts: a fifth of the time.
  latestFirst: (time, eventId) => `create_sort_key(${time}, 'ASC NULLS FIRST', ${eventId}, 'ASC NULLS FIRST') DESC`,
};

/**
 * A time of Parquet, which is a point in time, as a time in UTC without a zone. A cast would do too, but it asks ICU for
 * each value, which takes ten times as long as reading it.
 */
export function withoutZone(time: string): string {
  return `make_timestamp(epoch_us(${time}))`;
}

/**
 * A table function that reads NDJSON with the columns of the row, so that nothing is guessed: an id of digits stays text.
 *
 * @param files - A glob, or a list of paths, as SQL.
 * @param more - Further arguments, with a comma in front.
 */
export function readRows(files: string, more = ''): string {
  const columns = TABLE.map(({ name, type }) => `${name}: '${TYPES[type]}'`).join(', ');
  return `read_json(${files}, format = 'newline_delimited', hive_partitioning = false, columns = {${columns}}${more})`;
}

/** The definition of the table. */
export function tableDefinition(): string {
  return `CREATE TABLE IF NOT EXISTS events (\n${defineColumns(TYPES, withNotNull(TYPES))}\n);`;
}

/** The definition of the tables, and how they are loaded. */
export function duckdb(feed: Feed = NDJSON): string {
  const names = columnNames('  ');
  // Times of Parquet are points in time, which are shown in the zone of the session; here they are UTC.
  const taken =
    feed.format === 'ndjson'
      ? names
      : wrapped(
          TABLE.map(({ name, type }) => (type === 'timestamp' ? `${withoutZone(name)} AS ${name}` : name)),
          '  ',
        );
  const files =
    feed.format === 'ndjson'
      ? readRows("getvariable('parts')", ', filename = true')
      : "read_parquet(getvariable('parts'), hive_partitioning = false, filename = true)";
  return `\
${tableDefinition()}
-- For a table from before these columns.
${addLaterColumns('events', TYPES)}

-- The entries of the log that are loaded.
CREATE TABLE IF NOT EXISTS ${feed.parts} (${typed(LOG_COLUMNS, TYPES)});

-- Where the objects are: R2 ('r2://<bucket>/', after INSTALL httpfs and
--   CREATE SECRET (TYPE r2, KEY_ID '<key>', SECRET '<secret>', ACCOUNT_ID '<account>');
-- ), or a folder with a copy, such as npm run events -- pull files makes of events/.
SET VARIABLE root = '${feed === NDJSON ? 'files' : 'r2://<bucket>'}/';

-- From here on again for what is new. All of it happens, or nothing.
BEGIN TRANSACTION;
CREATE OR REPLACE TEMP TABLE new_parts AS
SELECT published.* FROM ${readColumns(`getvariable('root') || '${feed.log}*.json'`, LOG_COLUMNS)} AS published
WHERE sequence >= (SELECT COALESCE(MAX(sequence), 0) FROM ${feed.parts});

-- The last part that is loaded is read once more, since DuckDB cannot read no files at all.
SET VARIABLE parts = (
  SELECT LIST(getvariable('root') || key) FROM new_parts
  WHERE key NOT IN (SELECT replaces FROM new_parts WHERE replaces IS NOT NULL)
);
CREATE OR REPLACE TEMP TABLE new_events AS
SELECT
  ${taken},
  SUBSTRING(filename, LENGTH(getvariable('root')) + 1) AS ${OBJECT_KEY}
FROM ${files};

-- A part that another replaces goes, with those of its rows that are not in the other. Rows without a key are from before
-- there was a log, and are loaded once more.
DELETE FROM events WHERE ${OBJECT_KEY} IS NULL OR ${OBJECT_KEY} IN (SELECT replaces FROM new_parts);
DELETE FROM events WHERE event_id IN (SELECT event_id FROM new_events);
INSERT INTO events (
  ${names}, ${OBJECT_KEY}
)
SELECT
  ${names}, ${OBJECT_KEY}
FROM new_events;

INSERT INTO ${feed.parts} (${namesOf(LOG_COLUMNS)})
SELECT ${namesOf(LOG_COLUMNS)} FROM new_parts WHERE sequence NOT IN (SELECT sequence FROM ${feed.parts});
COMMIT;
${feed === NDJSON ? `\n${loadWatermark()}` : ''}`;
}

function readColumns(files: string, columns: Readonly<Record<string, keyof Types>>): string {
  return `read_json(${files}, columns = {${Object.entries(columns)
    .map(([name, type]) => `${name}: '${TYPES[type]}'`)
    .join(', ')}})`;
}

/** Notes up to when the table is complete. */
function loadWatermark(): string {
  return `\
-- Complete up to then, once the log is loaded up to log_sequence.
CREATE TABLE IF NOT EXISTS event_watermarks (${typed(WATERMARK_COLUMNS, TYPES)});
INSERT INTO event_watermarks (${namesOf(WATERMARK_COLUMNS)})
SELECT ${namesOf(WATERMARK_COLUMNS)} FROM ${readColumns(`getvariable('root') || '${WATERMARK_KEY}'`, WATERMARK_COLUMNS)}
WHERE log_sequence BETWEEN 1 AND (SELECT MAX(sequence) FROM event_parts);
`;
}
