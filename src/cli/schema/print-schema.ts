/** What `npm run schema` prints for a command line. Pure. */

import { JURISDICTIONS } from '../provision/wanted.ts';
import { parseCommandLine, UsageError } from '../usage.ts';
import { BIGQUERY, bigquery } from './bigquery.ts';
import { CLICKHOUSE, clickhouse } from './clickhouse.ts';
import { pandas, polars } from './dataframes.ts';
import { dbt } from './dbt.ts';
import type { Dialect } from './dialect.ts';
import { DUCKDB, duckdb } from './duckdb.ts';
import { type Feed, PARQUET } from './feed.ts';
import { jsonSchema } from './json-schema.ts';
import { odcs } from './odcs.ts';
import { POSTGRES, postgres } from './postgres.ts';
import { SNOWFLAKE, snowflake } from './snowflake.ts';
import { SPARK, spark } from './spark.ts';
import { printViews } from './views.ts';

interface Printable {
  readonly print: (feed?: Feed) => string;
  readonly dialect?: Dialect;
  /** Whether it can load Parquet too. */
  readonly parquet?: boolean;
}

/** What can be printed; what has a dialect has views too. */
const PRINTABLE: ReadonlyMap<string, Printable> = new Map([
  ['duckdb', { print: duckdb, dialect: DUCKDB, parquet: true }],
  ['bigquery', { print: bigquery, dialect: BIGQUERY, parquet: true }],
  ['snowflake', { print: snowflake, dialect: SNOWFLAKE, parquet: true }],
  ['clickhouse', { print: clickhouse, dialect: CLICKHOUSE, parquet: true }],
  ['spark', { print: spark, dialect: SPARK, parquet: true }],
  ['postgres', { print: postgres, dialect: POSTGRES }],
  ['pandas', { print: pandas }],
  ['polars', { print: polars }],
  ['dbt', { print: dbt }],
  ['odcs', { print: odcs }],
  ['json-schema', { print: jsonSchema }],
]);
const NAMES = [...PRINTABLE.keys()];
const WITH_VIEWS = NAMES.filter((name) => PRINTABLE.get(name)?.dialect !== undefined);
const WITH_PARQUET = NAMES.filter((name) => PRINTABLE.get(name)?.parquet);

/** How the command is used. */
export const SCHEMA_USAGE = `\
Usage: npm run --silent schema -- ${NAMES.join('|')} > FILE
       npm run --silent schema -- ${WITH_PARQUET.join('|')} --parquet > FILE
       npm run --silent schema -- ${WITH_VIEWS.join('|')} --views > FILE

  --jurisdiction ${JURISDICTIONS.join('|')}    for a bucket in a jurisdiction, which has another address

Prints the table of events and the statements that load it, or the calls that read it (pandas, polars), a source for dbt,
a data contract (Open Data Contract Standard), or the JSON Schema of a row.
With --parquet, the statements load complete days from parquet/v1/ instead of parts from events/v1/.
With --views, the views: current state, stays, nights, occupancy, pick-up, cancellations and others.`;

/**
 * Returns what a command line asks for.
 *
 * @throws UsageError - When it asks for what cannot be printed; the message says what can.
 */
export function printSchema(args: string[]): string {
  const { values, positionals } = parseCommandLine({
    args,
    allowPositionals: true,
    options: {
      views: { type: 'boolean', default: false },
      parquet: { type: 'boolean', default: false },
      jurisdiction: { type: 'string' },
    },
  });
  const { jurisdiction } = values;
  const text = printed(positionals, values);
  return jurisdiction === undefined ? text : inJurisdiction(text, jurisdiction);
}

/** Statements for a bucket in a jurisdiction, whose S3 address is below the account's (R2, Data location). */
function inJurisdiction(text: string, jurisdiction: string): string {
  if (!JURISDICTIONS.some((known) => known === jurisdiction)) {
    throw new UsageError(`Cannot use --jurisdiction ${jurisdiction}: give one of ${JURISDICTIONS.join(', ')}`);
  }
  const there = text.replaceAll('<account>', `<account>.${jurisdiction}`);
  if (there === text) {
    throw new UsageError('Cannot use --jurisdiction here: what is printed names no address of R2; leave it out');
  }
  return there;
}

function printed(positionals: readonly string[], values: { views: boolean; parquet: boolean }): string {
  const [name = '', ...others] = positionals;
  const { print, dialect, parquet = false } = (others.length === 0 && PRINTABLE.get(name)) || {};
  if (print === undefined) {
    throw new UsageError(`Cannot tell which schema to print: name one of ${NAMES.join(', ')}`);
  }
  if (values.views && values.parquet) {
    throw new UsageError(
      'Cannot print views of Parquet: they are the same, whichever objects are loaded; leave one out',
    );
  }
  if (values.parquet) {
    if (!parquet) throw new UsageError(`Cannot load Parquet with ${name}: name one of ${WITH_PARQUET.join(', ')}`);
    return print(PARQUET);
  }
  if (!values.views) return print();
  if (dialect === undefined) {
    throw new UsageError(`Cannot print views of ${name}: name one of ${WITH_VIEWS.join(', ')}`);
  }
  return printViews(dialect);
}
