/** BigQuery: loads from Cloud Storage, where Storage Transfer Service copies the objects. Pure. */

import { WATERMARK_KEY } from '../../storage/keys.ts';
import { addLaterColumns, columnNames, OBJECT_KEY, TABLE, type Types } from './columns.ts';
import { type Dialect, latestFirst, replaceView } from './dialect.ts';
import { type Feed, LOG_COLUMNS, NDJSON, namesOf, typed, WATERMARK_COLUMNS } from './feed.ts';

const TYPES: Types = {
  text: 'STRING',
  timestamp: 'TIMESTAMP',
  date: 'DATE',
  integer: 'INT64',
  texts: 'ARRAY<STRING>',
  faults: 'ARRAY<STRUCT<field STRING, code STRING>>',
  count: 'INT64',
  boolean: 'BOOL',
};

/** How BigQuery spells the views. */
export const BIGQUERY: Dialect = {
  types: TYPES,
  schema: 'reservations.',
  replaceView: (name, select) => replaceView(`reservations.${name}`, select),
  timestamp: (utc) => `TIMESTAMP '${utc}'`,
  localDate: (time, zone) => `DATE(${time}, ${zone})`,
  addDays: (date, days) => `DATE_ADD(${date}, INTERVAL ${days} DAY)`,
  daysBetween: (from, to) => `DATE_DIFF(${to}, ${from}, DAY)`,
  countUp: (count) => `CROSS JOIN UNNEST(GENERATE_ARRAY(0, ${count} - 1)) AS counter`,
  counter: 'counter',
  anyValue: (expression) => `ANY_VALUE(${expression})`,
  nullable: (expression) => expression,
  latestFirst,
};

/** The definition of the tables, and how they are loaded. */
export function bigquery(feed: Feed = NDJSON): string {
  const columns = TABLE.map(({ name, type, nullable, meaning }) => {
    // A list is never null in BigQuery, and may not be declared so.
    const required = nullable || type === 'texts' ? '' : ' NOT NULL';
    return `  ${name} ${TYPES[type]}${required} OPTIONS (description = ${JSON.stringify(meaning)}),\n`;
  });
  const log = typed(LOG_COLUMNS, TYPES);
  return `\
CREATE TABLE IF NOT EXISTS reservations.events (
${columns.join('')}  ${OBJECT_KEY} STRING OPTIONS (description = "The object of the bucket that the row was loaded from.")
)
PARTITION BY DATE(received_at)
CLUSTER BY property_id, reservation_id;
-- For a table from before these columns.
${addLaterColumns('reservations.events', TYPES)}

-- The entries of the log that are loaded.
CREATE TABLE IF NOT EXISTS reservations.${feed.parts} (${log});

-- BigQuery does not read R2. Storage Transfer Service copies ${feed.prefix} to Cloud Storage each hour. R2 is a source of the
-- kind "S3-compatible object storage": it needs an agent pool with at least one agent, a container on a machine of yours.
-- Let it overwrite what differs, never delete from the source, and run it in one job, so that the log is not ahead for long:
-- an object that is named but not there yet makes this fail and change nothing; the next run loads it.
CREATE OR REPLACE EXTERNAL TABLE reservations.published_log (${log})
OPTIONS (
  format = 'NEWLINE_DELIMITED_JSON',
  ignore_unknown_values = TRUE,
  uris = ['gs://<bucket>/${feed.log}*.json']
);

-- From here on again for what is new, as one script.
CREATE OR REPLACE TEMP TABLE new_parts AS
SELECT ${namesOf(LOG_COLUMNS)} FROM reservations.published_log
WHERE sequence > (SELECT COALESCE(MAX(sequence), 0) FROM reservations.${feed.parts})
-- An external table takes 10,000 addresses; run it again when there are more.
ORDER BY sequence LIMIT 10000;

IF EXISTS (SELECT 1 FROM new_parts) THEN
  EXECUTE IMMEDIATE FORMAT(
    """
    CREATE OR REPLACE EXTERNAL TABLE reservations.published (
      ${typed(Object.fromEntries(TABLE.map(({ name, type }) => [name, type])), TYPES).replaceAll(', ', ',\n      ')}
    )
    OPTIONS (${feed.format === 'ndjson' ? "format = 'NEWLINE_DELIMITED_JSON', compression = 'GZIP'" : "format = 'PARQUET', enable_list_inference = TRUE"}, uris = %T)
    """,
    ARRAY(
      SELECT CONCAT('gs://<bucket>/', key) FROM new_parts
      WHERE key NOT IN (SELECT replaces FROM reservations.published_log WHERE replaces IS NOT NULL)
    )
  );
  CREATE OR REPLACE TEMP TABLE new_events AS
  SELECT published.*, REGEXP_EXTRACT(_FILE_NAME, r'${feed.prefix}.*') AS ${OBJECT_KEY}
  FROM reservations.published AS published;

  -- A part that another replaces goes, with those of its rows that are not in the other. Rows without a key are from
  -- before there was a log, and are loaded once more.
  BEGIN TRANSACTION;
  DELETE FROM reservations.events WHERE ${OBJECT_KEY} IS NULL OR ${OBJECT_KEY} IN (SELECT replaces FROM new_parts);
  DELETE FROM reservations.events
  WHERE received_at >= (SELECT MIN(first_received_at) FROM new_parts)
    AND event_id IN (SELECT event_id FROM new_events);
  INSERT INTO reservations.events (
    ${columnNames('    ')}, ${OBJECT_KEY}
  )
  SELECT
    ${columnNames('    ')}, ${OBJECT_KEY}
  FROM new_events;
  INSERT INTO reservations.${feed.parts} (${namesOf(LOG_COLUMNS)})
  SELECT ${namesOf(LOG_COLUMNS)} FROM new_parts;
  COMMIT TRANSACTION;
END IF;
${feed === NDJSON ? `\n${loadWatermark()}` : ''}`;
}

/** Notes up to when the table is complete. */
function loadWatermark(): string {
  return `\
-- Complete up to then, once the log is loaded up to log_sequence.
CREATE TABLE IF NOT EXISTS reservations.event_watermarks (${typed(WATERMARK_COLUMNS, TYPES)});
CREATE OR REPLACE EXTERNAL TABLE reservations.published_watermark (${typed(WATERMARK_COLUMNS, TYPES)})
OPTIONS (
  format = 'NEWLINE_DELIMITED_JSON',
  ignore_unknown_values = TRUE,
  uris = ['gs://<bucket>/${WATERMARK_KEY}']
);
INSERT INTO reservations.event_watermarks (${namesOf(WATERMARK_COLUMNS)})
SELECT ${namesOf(WATERMARK_COLUMNS)} FROM reservations.published_watermark
WHERE log_sequence BETWEEN 1 AND (SELECT MAX(sequence) FROM reservations.event_parts);
`;
}
