/**
 * Instructions for attaching engines to the table through the catalog, each following the engine's documentation. Pure.
 */

import { TABLE } from './columns.ts';

const CLICKHOUSE = `\
SET allow_experimental_database_iceberg = 1;
CREATE DATABASE lake
ENGINE = DataLakeCatalog('https://<service>/iceberg/v1', '<key>', '<secret>')
SETTINGS catalog_type = 'rest', warehouse = 'reservations', auth_header = 'Authorization: Bearer <token>';
-- What npm run schema -- clickhouse --views reads.
CREATE VIEW events AS SELECT * FROM lake.\`reservations.events\`;
`;

/** The table's timestamps have a zone; the DuckDB views expect UTC times without one. */
const TIMES = TABLE.filter(({ type }) => type === 'timestamp').map(
  ({ name }) => `${name} AT TIME ZONE 'UTC' AS ${name}`,
);

const DUCKDB = `\
INSTALL iceberg; LOAD iceberg; LOAD httpfs;
CREATE SECRET catalog (TYPE iceberg, TOKEN '<token>');
CREATE SECRET bucket (
  TYPE s3, KEY_ID '<key>', SECRET '<secret>', ENDPOINT '<account>.r2.cloudflarestorage.com', URL_STYLE 'path', REGION 'auto'
);
ATTACH 'reservations' AS lake (
  TYPE iceberg, ENDPOINT 'https://<service>/iceberg', SECRET catalog, ACCESS_DELEGATION_MODE 'none'
);
-- What npm run schema -- duckdb --views reads.
CREATE VIEW events AS SELECT * REPLACE (
  ${TIMES.join(',\n  ')}
) FROM lake.reservations.events;
`;

const SPARK = `\
# spark-defaults.conf, with the packages iceberg-spark-runtime and iceberg-aws-bundle. Spark shows its configuration in its
# interface and its logs: see that spark.redaction.regex covers what ends in token and access-key.
spark.sql.catalog.lake                       org.apache.iceberg.spark.SparkCatalog
spark.sql.catalog.lake.type                  rest
spark.sql.catalog.lake.uri                   https://<service>/iceberg
spark.sql.catalog.lake.rest.auth.type        oauth2
spark.sql.catalog.lake.token                 <token>
spark.sql.catalog.lake.token-refresh-enabled false
spark.sql.catalog.lake.io-impl               org.apache.iceberg.aws.s3.S3FileIO
spark.sql.catalog.lake.s3.endpoint           https://<account>.r2.cloudflarestorage.com
spark.sql.catalog.lake.s3.path-style-access  true
spark.sql.catalog.lake.client.region         auto
spark.sql.catalog.lake.s3.access-key-id      <key>
spark.sql.catalog.lake.s3.secret-access-key  <secret>
# SELECT * FROM lake.reservations.events; what npm run schema -- spark --views reads:
# CREATE VIEW events AS SELECT * FROM lake.reservations.events;
`;

const TRINO = `\
# etc/catalog/lake.properties
connector.name=iceberg
iceberg.catalog.type=rest
iceberg.rest-catalog.uri=https://<service>/iceberg
iceberg.rest-catalog.security=OAUTH2
iceberg.rest-catalog.oauth2.token=<token>
fs.native-s3.enabled=true
s3.endpoint=https://<account>.r2.cloudflarestorage.com
s3.path-style-access=true
s3.region=auto
s3.aws-access-key=<key>
s3.aws-secret-key=<secret>
# SELECT * FROM lake.reservations.events; what npm run schema -- trino --views reads, in a catalog that can be written to:
# CREATE VIEW events AS SELECT * FROM lake.reservations.events;
`;

const SNOWFLAKE = `\
-- Snowflake opens an account for an endpoint on request: name <account>.r2.cloudflarestorage.com to its support first.
CREATE EXTERNAL VOLUME reservation_volume
  STORAGE_LOCATIONS = ((
    NAME = 'r2'
    STORAGE_PROVIDER = 'S3COMPAT'
    STORAGE_BASE_URL = 's3compat://<bucket>/'
    STORAGE_ENDPOINT = '<account>.r2.cloudflarestorage.com'
    CREDENTIALS = (AWS_KEY_ID = '<key>' AWS_SECRET_KEY = '<secret>')
  ))
  ALLOW_WRITES = FALSE;
CREATE CATALOG INTEGRATION reservation_catalog
  CATALOG_SOURCE = ICEBERG_REST
  TABLE_FORMAT = ICEBERG
  CATALOG_NAMESPACE = 'reservations'
  REST_CONFIG = (CATALOG_URI = 'https://<service>/iceberg')
  REST_AUTHENTICATION = (TYPE = BEARER BEARER_TOKEN = '<token>')
  ENABLED = TRUE;
-- The name that npm run schema -- snowflake --views reads.
CREATE ICEBERG TABLE events
  EXTERNAL_VOLUME = 'reservation_volume'
  CATALOG = 'reservation_catalog'
  CATALOG_TABLE_NAME = 'events'
  AUTO_REFRESH = TRUE;
`;

const PYICEBERG = `\
from pyiceberg.catalog import load_catalog

catalog = load_catalog(
    "lake",
    type="rest",
    uri="https://<service>/iceberg",
    token="<token>",
    **{
        "s3.endpoint": "https://<account>.r2.cloudflarestorage.com",
        "s3.access-key-id": "<key>",
        "s3.secret-access-key": "<secret>",
        "s3.region": "auto",
    },
)
events = catalog.load_table("reservations.events")
print(events.scan(row_filter="property_id = 'prop-2207'").to_arrow())
`;

const POLARS = `\
# With the catalog of PyIceberg above.
import polars as pl

print(pl.scan_iceberg(events).group_by("property_id").len().collect())
`;

/**
 * The instructions by engine, and whether a test runs them; the others only follow the engine's documentation.
 * Placeholders are the Worker, a reader's token, and an R2 API token for the bucket.
 */
export const ATTACHMENTS = [
  { engine: 'ClickHouse', isExecuted: true, text: CLICKHOUSE },
  { engine: 'DuckDB', isExecuted: false, text: DUCKDB },
  { engine: 'Spark', isExecuted: false, text: SPARK },
  { engine: 'Trino', isExecuted: false, text: TRINO },
  { engine: 'Snowflake', isExecuted: false, text: SNOWFLAKE },
  { engine: 'PyIceberg', isExecuted: false, text: PYICEBERG },
  { engine: 'Polars', isExecuted: false, text: POLARS },
];

/** The instructions for all engines. */
export function iceberg(): string {
  const sections = ATTACHMENTS.map(
    ({ engine, isExecuted, text }) =>
      `## ${engine} (${isExecuted ? 'a test runs this' : 'by its documentation; no test runs this'})\n\n${text}`,
  );
  return `\
# The table of reservation events, as Apache Iceberg, through the catalog of the service. Put in
#   <service>         the host of the Worker; locally http://localhost:8787 in place of https://<service>
#   <token>           a token of a reader: npm run token -- new analysts --reader
#   <key>, <secret>   an R2 API token that may read the bucket
#   <account>         the account of the bucket; locally the endpoint is http://localhost:8787/cdn-cgi/local/r2/s3

${sections.join('\n')}`;
}
