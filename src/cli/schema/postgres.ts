/** PostgreSQL: loads files after `npm run events -- pull`. Pure. */

import { defineColumns, type Types, withNotNull } from './columns.ts';

const TYPES: Types = {
  text: 'text',
  timestamp: 'timestamptz',
  date: 'date',
  integer: 'integer',
  texts: 'text[]',
};

/** The definition of the table, and how it is loaded. */
export function postgres(): string {
  return `\
CREATE TABLE IF NOT EXISTS events (
${defineColumns(withNotNull(TYPES))}
);
CREATE UNIQUE INDEX IF NOT EXISTS events_event_id ON events (event_id);

-- In psql, after npm run events -- pull files. The odd characters keep COPY from finding quotes and columns in JSON.
CREATE TEMPORARY TABLE IF NOT EXISTS lines (line jsonb);
TRUNCATE lines;
\\copy lines FROM PROGRAM 'gunzip --stdout files/events/v1/dt=*/hour=*/*.ndjson.gz' WITH (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')
INSERT INTO events
SELECT row.* FROM lines, jsonb_populate_record(NULL::events, line) AS row
ON CONFLICT (event_id) DO NOTHING;
`;
}
