/** Snowflake: loads from R2 through an S3-compatible stage. Pure. */

import { defineColumns, type Types, withNotNull } from './columns.ts';

const TYPES: Types = {
  text: 'VARCHAR',
  timestamp: 'TIMESTAMP_TZ',
  date: 'DATE',
  integer: 'INTEGER',
  texts: 'ARRAY',
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
