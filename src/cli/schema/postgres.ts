/** PostgreSQL: loads files after `npm run events -- pull`. Pure. */

import { LOG_PREFIX, WATERMARK_KEY } from '../../storage/keys.ts';
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
  wrapped,
} from './columns.ts';
import { type Dialect, STANDARD } from './dialect.ts';

const TYPES: Types = {
  text: 'text',
  timestamp: 'timestamptz',
  date: 'date',
  integer: 'integer',
  texts: 'text[]',
  faults: 'jsonb',
  count: 'bigint',
  boolean: 'boolean',
};

export const POSTGRES: Dialect = {
  ...STANDARD,
  types: TYPES,
  // CREATE OR REPLACE VIEW can only append columns.
  replaceView: (name, select) => `DROP VIEW IF EXISTS ${name} CASCADE;\nCREATE VIEW ${name} AS\n${select};`,
  timestamp: (utc) => `TIMESTAMPTZ '${utc}'`,
  localDate: (time, zone) => `CAST(${time} AT TIME ZONE ${zone} AS date)`,
  addDays: (date, days) => `${date} + ${days}`,
  daysBetween: (from, to) => `${to} - ${from}`,
  countUp: (count) => `CROSS JOIN LATERAL generate_series(0, ${count} - 1) AS counted(counter)`,
  counter: 'counted.counter',
  // ANY_VALUE exists only since PostgreSQL 16.
  anyValue: (expression) => `(ARRAY_AGG(${expression}))[1]`,
};

/** COPY options that read a line as one value, in UTF-8 whatever the session's encoding is. */
const LINES = "FORMAT csv, ENCODING 'UTF8', QUOTE E'\\x01'";

export function postgres(): string {
  const names = columnNames('  ');
  return `\
CREATE TABLE IF NOT EXISTS events (
${defineColumns(TYPES, withNotNull(TYPES))}
);
CREATE UNIQUE INDEX IF NOT EXISTS events_event_id ON events (event_id);
${addLaterColumns('events', TYPES)}
-- The log entries that are loaded, and the watermarks that were reached.
CREATE TABLE IF NOT EXISTS event_parts (${typed(LOG_COLUMNS, TYPES)});
CREATE TABLE IF NOT EXISTS event_watermarks (${typed(WATERMARK_COLUMNS, TYPES)});

-- In psql, after npm run events -- pull files. Run everything from here again to load what is new, in one transaction.
\\set ON_ERROR_STOP on
BEGIN;
CREATE TEMPORARY TABLE log_lines (line jsonb) ON COMMIT DROP;
CREATE TEMPORARY TABLE lines (${OBJECT_KEY} text, line jsonb) ON COMMIT DROP;

-- Entries are selected by name, so that loaded ones are not read again. The odd characters keep COPY from finding
-- quotes and columns in JSON. A file that cannot be read yields a line that is not JSON, so COPY fails.
\\copy (SELECT LPAD(COALESCE(MAX(sequence), 0)::text, 20, '0') || '.json' FROM event_parts) TO 'last-part.txt' WITH (ENCODING 'UTF8')
\\copy log_lines FROM PROGRAM 'find files/${LOG_PREFIX} -name "*.json" | awk -F/ -v last="$(cat last-part.txt)" "\\$NF > last" | xargs awk 1 /dev/null' WITH (${LINES}, DELIMITER E'\\x02')
CREATE TEMPORARY TABLE new_parts ON COMMIT DROP AS
SELECT entry.* FROM log_lines, jsonb_to_record(line) AS entry(${typed(LOG_COLUMNS, TYPES)});

\\copy (SELECT key FROM new_parts WHERE key NOT IN (SELECT replaces FROM new_parts WHERE replaces IS NOT NULL)) TO 'new-parts.txt' WITH (ENCODING 'UTF8')
\\copy lines FROM PROGRAM 'while read -r key; do { gunzip --stdout "files/$key" || echo "$key cannot be read"; } | awk -v OFS="\\t" -v key="$key" "{ print key, \\$0 }"; done < new-parts.txt' WITH (${LINES}, DELIMITER E'\\t')

-- Delete the rows of replaced parts, including those that the replacement does not have.
DELETE FROM events WHERE ${OBJECT_KEY} IN (SELECT replaces FROM new_parts);
DELETE FROM events WHERE event_id IN (SELECT line ->> 'event_id' FROM lines);
INSERT INTO events (
  ${names}, ${OBJECT_KEY}
)
SELECT
  ${wrapped(
    TABLE.map(({ name }) => `row.${name}`),
    '  ',
  )}, lines.${OBJECT_KEY}
FROM lines, jsonb_populate_record(NULL::events, line) AS row;

INSERT INTO event_parts (${namesOf(LOG_COLUMNS)})
SELECT ${namesOf(LOG_COLUMNS)} FROM new_parts;

-- Rows are complete up to complete_through once the log is loaded up to log_sequence.
CREATE TEMPORARY TABLE watermark_lines (line jsonb) ON COMMIT DROP;
\\copy watermark_lines FROM PROGRAM 'test ! -e files/${WATERMARK_KEY} || cat files/${WATERMARK_KEY}' WITH (${LINES}, DELIMITER E'\\x02')
INSERT INTO event_watermarks (${namesOf(WATERMARK_COLUMNS)})
SELECT ${namesOf(WATERMARK_COLUMNS)}
FROM watermark_lines, jsonb_to_record(line) AS watermark(${typed(WATERMARK_COLUMNS, TYPES)})
WHERE log_sequence BETWEEN 1 AND (SELECT MAX(sequence) FROM event_parts)
  AND complete_through > (SELECT COALESCE(MAX(complete_through), '-infinity') FROM event_watermarks);
COMMIT;
SELECT COALESCE('Complete up to ' || MAX(complete_through), '${NO_WATERMARK}') AS loaded FROM event_watermarks;
`;
}
