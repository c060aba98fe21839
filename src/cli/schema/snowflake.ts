/** Snowflake: loads from R2 through an S3-compatible stage. Pure. */

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
import { type Dialect, latestFirst, replaceView } from './dialect.ts';
import { type Feed, LOG_COLUMNS, NDJSON, namesOf, typed, WATERMARK_COLUMNS } from './feed.ts';

const TYPES: Types = {
  text: 'VARCHAR',
  timestamp: 'TIMESTAMP_TZ',
  date: 'DATE',
  integer: 'INTEGER',
  texts: 'ARRAY',
  faults: 'VARIANT',
  count: 'INTEGER',
  boolean: 'BOOLEAN',
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
  latestFirst,
};

/** The definition of the tables, and how they are loaded. */
export function snowflake(feed: Feed = NDJSON): string {
  const format = feed.format === 'ndjson' ? 'reservation_json' : 'reservation_parquet';
  const taken = TABLE.map(({ name, type }) => `$1:${name}::${TYPES[type]}`);
  return `\
CREATE TABLE IF NOT EXISTS events (
${defineColumns(TYPES, withNotNull(TYPES))}
);
-- For a table from before these columns.
${addLaterColumns('events', TYPES)}

-- The entries of the log that are loaded.
CREATE TABLE IF NOT EXISTS ${feed.parts} (${typed(LOG_COLUMNS, TYPES)});

-- Snowflake opens an account for an endpoint on request: name <account>.r2.cloudflarestorage.com to its support first.
-- COPY remembers for 64 days which objects it has loaded; the log has them permanently, so COPY is told which to take.
CREATE FILE FORMAT IF NOT EXISTS reservation_json TYPE = JSON;
${feed.format === 'ndjson' ? '' : `CREATE FILE FORMAT IF NOT EXISTS reservation_parquet TYPE = PARQUET USE_LOGICAL_TYPE = TRUE;\n-- Times of Parquet without a zone are UTC.\nALTER SESSION SET TIMEZONE = 'UTC';\n`}CREATE STAGE IF NOT EXISTS reservation_events
  URL = 's3compat://<bucket>/'
  ENDPOINT = '<account>.r2.cloudflarestorage.com'
  CREDENTIALS = (AWS_KEY_ID = '<key>' AWS_SECRET_KEY = '<secret>');

-- From here on again for what is new.
CREATE OR REPLACE TEMPORARY TABLE new_parts AS
SELECT ${Object.entries(LOG_COLUMNS)
    .map(([name, type]) => `$1:${name}::${TYPES[type]} AS ${name}`)
    .join(', ')}
FROM @reservation_events/${feed.log} (FILE_FORMAT => 'reservation_json', PATTERN => '.*[.]json')
-- A fixed width lets names be compared instead of contents.
WHERE METADATA$FILENAME > (SELECT '${feed.log}' || LPAD(COALESCE(MAX(sequence), 0), 20, '0') || '.json' FROM ${feed.parts});

CREATE OR REPLACE TEMPORARY TABLE new_events LIKE events;
EXECUTE IMMEDIATE $$
DECLARE
  -- COPY takes 1,000 names at once.
  batches CURSOR FOR
    SELECT LISTAGG('\\'' || key || '\\'', ', ') AS files FROM (
      SELECT key, FLOOR((ROW_NUMBER() OVER (ORDER BY sequence) - 1) / 1000) AS batch FROM new_parts
      WHERE key NOT IN (SELECT replaces FROM new_parts WHERE replaces IS NOT NULL)
    ) GROUP BY batch;
BEGIN
  FOR each IN batches DO
    EXECUTE IMMEDIATE '
      COPY INTO new_events (
        ${columnNames('        ')}, ${OBJECT_KEY}
      )
      FROM (
        SELECT
          ${wrapped(taken, '          ')}, METADATA$FILENAME
        FROM @reservation_events
      )
      FILES = (' || each.files || ')
      FILE_FORMAT = (FORMAT_NAME = ${format})
      ON_ERROR = ABORT_STATEMENT';
  END FOR;
END;
$$;

-- A part that another replaces goes, with those of its rows that are not in the other. Rows without a key are from before
-- there was a log, and are loaded once more.
BEGIN TRANSACTION;
DELETE FROM events WHERE ${OBJECT_KEY} IS NULL OR ${OBJECT_KEY} IN (SELECT replaces FROM new_parts);
DELETE FROM events WHERE event_id IN (SELECT event_id FROM new_events);
INSERT INTO events (
  ${columnNames('  ')}, ${OBJECT_KEY}
)
SELECT
  ${columnNames('  ')}, ${OBJECT_KEY}
FROM new_events;
INSERT INTO ${feed.parts} (${namesOf(LOG_COLUMNS)})
SELECT ${namesOf(LOG_COLUMNS)} FROM new_parts;
COMMIT;
${feed === NDJSON ? `\n${loadWatermark()}` : ''}`;
}

/** Notes up to when the table is complete. */
function loadWatermark(): string {
  return `\
-- Complete up to then, once the log is loaded up to log_sequence.
CREATE TABLE IF NOT EXISTS event_watermarks (${typed(WATERMARK_COLUMNS, TYPES)});
INSERT INTO event_watermarks (${namesOf(WATERMARK_COLUMNS)})
SELECT ${Object.entries(WATERMARK_COLUMNS)
    .map(([name, type]) => `$1:${name}::${TYPES[type]}`)
    .join(', ')}
FROM @reservation_events/${WATERMARK_KEY} (FILE_FORMAT => 'reservation_json')
WHERE $1:log_sequence::INTEGER BETWEEN 1 AND (SELECT MAX(sequence) FROM event_parts);
`;
}
