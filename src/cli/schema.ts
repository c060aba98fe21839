/** `npm run schema`: the table definition and the load statement for a database. */

import { bigquery } from './schema/bigquery.ts';
import { clickhouse } from './schema/clickhouse.ts';
import { duckdb } from './schema/duckdb.ts';
import { jsonSchema } from './schema/json-schema.ts';
import { postgres } from './schema/postgres.ts';
import { snowflake } from './schema/snowflake.ts';
import { spark } from './schema/spark.ts';
import { asksForHelp } from './usage.ts';

const DIALECTS: ReadonlyMap<string, () => string> = new Map([
  ['duckdb', duckdb],
  ['bigquery', bigquery],
  ['snowflake', snowflake],
  ['clickhouse', clickhouse],
  ['spark', spark],
  ['postgres', postgres],
  ['json-schema', jsonSchema],
]);

const USAGE = `Usage: npm run --silent schema -- ${[...DIALECTS.keys()].join('|')} > FILE

Prints the table of events and the statement that loads it, or the JSON Schema of a row.`;

const args = process.argv.slice(2);
const [name = '', ...others] = args;
const print = others.length === 0 ? DIALECTS.get(name) : undefined;
if (asksForHelp(args)) {
  console.log(USAGE);
} else if (print === undefined) {
  console.error(`Cannot tell which schema to print: name one of ${[...DIALECTS.keys()].join(', ')}\n\n${USAGE}`);
  process.exitCode = 1;
} else {
  process.stdout.write(print());
}
