/** Spark SQL: reads the objects through the S3A connector. Pure. */

import { defineColumns, type Types } from './columns.ts';

const TYPES: Types = {
  text: 'STRING',
  timestamp: 'TIMESTAMP',
  date: 'DATE',
  integer: 'INT',
  texts: 'ARRAY<STRING>',
};

/** The definition of the table, and how it is loaded. */
export function spark(): string {
  const columns = defineColumns(({ type }) => TYPES[type]);
  return `\
-- spark.hadoop.fs.s3a.endpoint = https://<account>.r2.cloudflarestorage.com, and the keys of an R2 API token.
SET spark.sql.session.timeZone = UTC;

CREATE TABLE IF NOT EXISTS events (
${columns}
) USING PARQUET;

-- One day. Without recursiveFileLookup Spark would add the folders as columns dt and hour.
CREATE OR REPLACE TEMPORARY VIEW published (
${columns}
) USING JSON OPTIONS (
  path 's3a://<bucket>/events/v1/dt=<YYYY-MM-DD>',
  recursiveFileLookup 'true',
  pathGlobFilter '*.ndjson.gz',
  mode 'FAILFAST'
);

-- What is loaded already is passed over, so running this again changes nothing.
INSERT INTO events
SELECT published.* FROM published LEFT ANTI JOIN events ON published.event_id = events.event_id;
`;
}
