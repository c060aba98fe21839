/** ClickHouse: loads from R2 with the s3 table function. Pure. */

import { EVENTS_PARTITIONS, EVENTS_PREFIX, LOG_PREFIX, WATERMARK_KEY } from '../../storage/keys.ts';
import {
  addLaterColumns,
  type Column,
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
  wrapped,
} from './columns.ts';
import { type Dialect, STANDARD } from './dialect.ts';

const TYPES: Types = {
  text: 'String',
  timestamp: "DateTime64(3, 'UTC')",
  // Date begins in 1970, and guests are born before.
  date: 'Date32',
  integer: 'UInt16',
  texts: 'Array(String)',
  faults: 'String',
  count: 'UInt64',
  boolean: 'Bool',
};

export const CLICKHOUSE: Dialect = {
  ...STANDARD,
  types: TYPES,
  timestamp: (utc) => `toDateTime64('${utc.replace('T', ' ').replace('Z', '')}', 3, 'UTC')`,
  // formatDateTime is one of the functions that accept the zone from a column.
  localDate: (time, zone) => `toDate32(formatDateTime(${time}, '%F', ${zone}))`,
  addDays: (date, days) => `addDays(${date}, ${days})`,
  daysBetween: (from, to) => `dateDiff('day', ${from}, ${to})`,
  countUp: (count) => `ARRAY JOIN range(toUInt32(${count})) AS counter`,
  counter: 'counter',
  nullable: (expression) => `toNullable(${expression})`,
};

const BUCKET = 'https://<account>.r2.cloudflarestorage.com/<bucket>';

/** The last day of Date32: a later birth date would silently be replaced by it. */
const LAST_DATE = "'2299-12-31'";

/** A table function that reads files of JSON lines. @param columns - Names and types. */
function readS3(key: string, columns: string): string {
  return `s3('${BUCKET}/${key}', '<key>', '<secret>', 'JSONEachRow', '${columns.replaceAll("'", "\\'")}')`;
}

function typeOf({ type, nullable }: Pick<Column, 'type' | 'nullable'>): string {
  return nullable ? `Nullable(${TYPES[type]})` : TYPES[type];
}

export function clickhouse(): string {
  const columns = TABLE.map((column) =>
    column.name === 'birth_date' ? 'birth_date Nullable(String)' : `${column.name} ${typeOf(column)}`,
  );
  // Columns that are converted while they are loaded.
  const taken: Readonly<Partial<Record<string, string>>> = {
    birth_date: `if(birth_date <= ${LAST_DATE}, toDate32OrNull(birth_date), NULL)`,
    warnings: `if(birth_date > ${LAST_DATE}, arrayPushBack(warnings, 'birth_date:after_2299'), warnings)`,
  };
  // Only an entry that replaces a part has the key of that part.
  const log = typed(LOG_COLUMNS, TYPES).replace('replaces String', 'replaces Nullable(String)');
  return `\
CREATE TABLE IF NOT EXISTS events (
${defineColumns(TYPES, typeOf)}
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(received_at)
ORDER BY (property_id, received_at, event_id);
${addLaterColumns('events', TYPES, typeOf)}
-- The log entries that are loaded, and the watermarks that were reached.
CREATE TABLE IF NOT EXISTS event_parts (${log}) ENGINE = MergeTree ORDER BY sequence;
CREATE TABLE IF NOT EXISTS event_watermarks (${typed(WATERMARK_COLUMNS, TYPES)}) ENGINE = MergeTree ORDER BY updated_at;

-- Older versions end DateTime64 in 2299 and would change what is later, such as an open end.
SELECT throwIf(
  toYear(toDateTime64('9999-12-31 00:00:00', 3, 'UTC')) <> 9999,
  'This ClickHouse cannot hold times up to the year 9999: use a newer version'
);

-- Run everything from here again to load what is new, one run at a time. If one stops half-way, the next finishes.
CREATE OR REPLACE TABLE new_parts ENGINE = MergeTree ORDER BY sequence AS
SELECT ${namesOf(LOG_COLUMNS)}
FROM ${readS3(`${LOG_PREFIX}*.json`, log)}
-- Entries that are loaded already are skipped without reading them.
WHERE _file > (SELECT concat(leftPad(toString(max(sequence)), 20, '0'), '.json') FROM event_parts)
SETTINGS date_time_input_format = 'best_effort', use_hive_partitioning = 0;

-- Delete the rows of replaced parts.
DELETE FROM events WHERE ${OBJECT_KEY} IN (SELECT replaces FROM new_parts WHERE replaces IS NOT NULL);
-- Dates of birth after 2299 are beyond Date32: null, with a warning.
INSERT INTO events (
  ${columnNames('  ')}, ${OBJECT_KEY}
)
SELECT
  ${wrapped(
    TABLE.map(({ name }) => taken[name] ?? name),
    '  ',
  )},
  substring(_path, position(_path, '${EVENTS_PREFIX}')) AS object
FROM ${readS3(`${EVENTS_PARTITIONS}*/hour=*/*.ndjson.gz`, columns.join(', '))}
-- Only objects of new parts are read.
WHERE substring(_path, position(_path, '${EVENTS_PREFIX}')) IN (
    SELECT key FROM new_parts WHERE key NOT IN (SELECT assumeNotNull(replaces) FROM new_parts WHERE replaces IS NOT NULL)
  )
  AND event_id NOT IN (
    SELECT event_id FROM events WHERE received_at >= (SELECT min(first_received_at) FROM new_parts)
  )
SETTINGS date_time_input_format = 'best_effort', use_hive_partitioning = 0;

INSERT INTO event_parts (${namesOf(LOG_COLUMNS)})
SELECT ${namesOf(LOG_COLUMNS)} FROM new_parts;

-- Rows are complete up to complete_through once the log is loaded up to log_sequence. The pattern allows for none.
INSERT INTO event_watermarks (${namesOf(WATERMARK_COLUMNS)})
SELECT ${namesOf(WATERMARK_COLUMNS)}
FROM ${readS3(WATERMARK_KEY.replace('.json', '*.json'), typed(WATERMARK_COLUMNS, TYPES))}
WHERE log_sequence BETWEEN 1 AND (SELECT max(sequence) FROM event_parts)
  AND complete_through > (SELECT max(complete_through) FROM event_watermarks)
SETTINGS date_time_input_format = 'best_effort', use_hive_partitioning = 0;
SELECT if(count() > 0, concat('Complete up to ', toString(max(complete_through))), '${NO_WATERMARK}') AS loaded
FROM event_watermarks;
`;
}
