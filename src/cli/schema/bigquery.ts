/** BigQuery: loads from Cloud Storage, where Storage Transfer Service copies the objects. Pure. */

import { TABLE, type Types } from './columns.ts';
import { type Dialect, replaceView } from './dialect.ts';

const TYPES: Types = {
  text: 'STRING',
  timestamp: 'TIMESTAMP',
  date: 'DATE',
  integer: 'INT64',
  texts: 'ARRAY<STRING>',
  faults: 'ARRAY<STRUCT<field STRING, code STRING>>',
  count: 'INT64',
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
};

/** The definition of the table, and how it is loaded. */
export function bigquery(): string {
  const columns = TABLE.map(({ name, type, nullable, meaning }) => {
    // A list is never null in BigQuery, and may not be declared so.
    const required = nullable || type === 'texts' ? '' : ' NOT NULL';
    return `  ${name} ${TYPES[type]}${required} OPTIONS (description = ${JSON.stringify(meaning)})`;
  });
  const names = TABLE.map(({ name, type }) => `  ${name} ${TYPES[type]}`).join(',\n');
  return `\
CREATE TABLE IF NOT EXISTS reservations.events (
${columns.join(',\n')}
)
PARTITION BY DATE(received_at)
CLUSTER BY property_id, reservation_id;

-- BigQuery does not read R2. Let Storage Transfer Service (source: S3-compatible storage) copy events/v1/ to Cloud
-- Storage each hour. One day; what is loaded already is passed over, so running this again changes nothing.
CREATE OR REPLACE EXTERNAL TABLE reservations.published (
${names}
)
OPTIONS (
  format = 'NEWLINE_DELIMITED_JSON',
  compression = 'GZIP',
  uris = ['gs://<bucket>/events/v1/dt=<YYYY-MM-DD>/*.ndjson.gz']
);
MERGE reservations.events AS loaded
USING reservations.published AS published
ON loaded.event_id = published.event_id AND DATE(loaded.received_at) = '<YYYY-MM-DD>'
WHEN NOT MATCHED THEN INSERT ROW;
`;
}
