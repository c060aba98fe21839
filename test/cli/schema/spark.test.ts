/** What is printed for Spark, read by a parser that knows its grammar. Loading it takes seconds: this is for the long run. */

import { expect, test } from 'vitest';
import { PARQUET } from '../../../src/cli/schema/feed.ts';
import { SPARK, spark } from '../../../src/cli/schema/spark.ts';
import { printViews } from '../../../src/cli/schema/views.ts';

test.runIf(process.env.THOROUGH === '1')('`spark()` and `printViews()` for Spark are parsed', async () => {
  const { SparkSQL } = await import('dt-sql-parser/dist/parser/spark/index.js');
  const parser = new SparkSQL();
  for (const sql of [spark(), spark(PARQUET), printViews(SPARK)]) expect(parser.validate(sql)).toEqual([]);
  expect(parser.validate('SELECT FROM WHERE')).not.toEqual([]);
});
