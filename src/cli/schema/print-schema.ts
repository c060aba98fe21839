/** What `npm run schema` prints for a command line. Pure. */

import { JURISDICTIONS } from '../provision/wanted.ts';
import { parseCommandLine, UsageError } from '../usage.ts';
import { CLICKHOUSE, clickhouse } from './clickhouse.ts';
import { pandas, polars } from './dataframes.ts';
import { dbt } from './dbt.ts';
import type { Dialect } from './dialect.ts';
import { DUCKDB, duckdb } from './duckdb.ts';
import { iceberg } from './iceberg.ts';
import { jsonSchema } from './json-schema.ts';
import { odcs } from './odcs.ts';
import { POSTGRES, postgres } from './postgres.ts';
import { SNOWFLAKE } from './snowflake.ts';
import { SPARK } from './spark.ts';
import { printViews } from './views.ts';

/** What is printed for a name: statements or calls, views, or both. */
interface Printable {
  readonly print?: () => string;
  readonly dialect?: Dialect;
}

const PRINTABLE: ReadonlyMap<string, Printable> = new Map<string, Printable>([
  ['iceberg', { print: iceberg }],
  ['duckdb', { print: duckdb, dialect: DUCKDB }],
  ['clickhouse', { print: clickhouse, dialect: CLICKHOUSE }],
  ['postgres', { print: postgres, dialect: POSTGRES }],
  ['snowflake', { dialect: SNOWFLAKE }],
  ['spark', { dialect: SPARK }],
  ['pandas', { print: pandas }],
  ['polars', { print: polars }],
  ['dbt', { print: dbt }],
  ['odcs', { print: odcs }],
  ['json-schema', { print: jsonSchema }],
]);

const PRINTED = namesWith('print');
const WITH_VIEWS = namesWith('dialect');

function namesWith(part: keyof Printable): readonly string[] {
  return [...PRINTABLE].filter(([, printable]) => printable[part] !== undefined).map(([name]) => name);
}

/** How the command is used. */
export const SCHEMA_USAGE = `\
Usage: npm run --silent schema -- ${PRINTED.join('|')} > FILE
       npm run --silent schema -- ${WITH_VIEWS.join('|')} --views > FILE

  --jurisdiction ${JURISDICTIONS.join('|')}    for a bucket in a jurisdiction, which has another address

Prints how ClickHouse, DuckDB, Spark, Trino, Snowflake, PyIceberg and Polars attach to the table (iceberg); the table of
events and the statements that load it (duckdb, clickhouse, postgres), or the calls that read it (pandas, polars); a source
for dbt, a data contract (Open Data Contract Standard), or the JSON Schema of a row.
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
      jurisdiction: { type: 'string' },
    },
  });
  const { jurisdiction } = values;
  const text = printed(positionals, values.views);
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

function printed([name = '', ...others]: readonly string[], views: boolean): string {
  const { print, dialect } = (others.length === 0 && PRINTABLE.get(name)) || {};
  if (views && dialect !== undefined) return printViews(dialect);
  if (views) throw new UsageError(`Cannot print views of ${name}: name one of ${WITH_VIEWS.join(', ')}`);
  if (print !== undefined) return print();
  throw new UsageError(`Cannot tell which schema to print: name one of ${PRINTED.join(', ')}`);
}
