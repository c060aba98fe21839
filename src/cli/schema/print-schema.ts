/** The output of `npm run schema` for a command line. Pure. */

import { JURISDICTIONS } from '../provision/wanted.ts';
import { describeOptions, readCommandLine, UsageError } from '../usage.ts';
import { CLICKHOUSE, clickhouse } from './clickhouse.ts';
import { type Dialect, SNOWFLAKE, SPARK, TRINO } from './dialect.ts';
import { DUCKDB, duckdb } from './duckdb.ts';
import { iceberg } from './iceberg.ts';
import { jsonSchema } from './json-schema.ts';
import { POSTGRES, postgres } from './postgres.ts';
import { printViews } from './views.ts';

const PRINTERS: Readonly<Record<string, () => string>> = {
  iceberg,
  duckdb,
  clickhouse,
  postgres,
  'json-schema': jsonSchema,
};

/** The SQL dialects that views are printed in. */
const DIALECTS: Readonly<Record<string, Dialect>> = {
  duckdb: DUCKDB,
  clickhouse: CLICKHOUSE,
  postgres: POSTGRES,
  snowflake: SNOWFLAKE,
  spark: SPARK,
  trino: TRINO,
};

const OPTIONS = {
  views: { about: 'prints the views: current state, stays, nights, occupancy, pick-up, cancellations and others' },
  jurisdiction: {
    value: JURISDICTIONS,
    about: 'for a bucket in a jurisdiction, which has another address',
  },
} as const;

export const SCHEMA_USAGE = `\
Usage: npm run --silent schema -- ${Object.keys(PRINTERS).join('|')} > FILE
       npm run --silent schema -- ${Object.keys(DIALECTS).join('|')} --views > FILE

Prints how ClickHouse, DuckDB, Spark, Trino, Snowflake, PyIceberg and Polars attach to the table (iceberg); the table of
events and the statements that load it (duckdb, clickhouse, postgres); or the JSON Schema of a row.

Options
${describeOptions(OPTIONS)}`;

/**
 * Returns the text that a command line asks for.
 *
 * @throws UsageError - When there is no such text; the message lists what there is.
 */
export function printSchema(args: readonly string[]): string {
  const { values, words } = readCommandLine(args, OPTIONS, true);
  const text = values.views ? printViews(chosen(DIALECTS, words, 'views')) : chosen(PRINTERS, words, 'schema')();
  return values.jurisdiction === undefined ? text : inJurisdiction(text, values.jurisdiction);
}

/** Looks up the only word of a command line. */
function chosen<Kind>(kinds: Readonly<Record<string, Kind>>, words: readonly string[], what: string): Kind {
  const [name = ''] = words;
  const kind = words.length === 1 && Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind !== undefined) return kind;
  throw new UsageError(`Cannot tell which ${what} to print: name one of ${Object.keys(kinds).join(', ')}`);
}

/**
 * Changes statements for a bucket in a jurisdiction, whose S3 host is a subdomain of the account's (R2, Data location).
 */
function inJurisdiction(text: string, jurisdiction: string): string {
  const there = text.replaceAll('<account>', `<account>.${jurisdiction}`);
  if (there === text) {
    throw new UsageError('Cannot use --jurisdiction here: what is printed names no address of R2; leave it out');
  }
  return there;
}
