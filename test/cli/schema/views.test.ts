import { Dialect as Language, parse } from '@polyglot-sql/sdk';
import { expect, test } from 'vitest';
import { BIGQUERY } from '../../../src/cli/schema/bigquery.ts';
import { DUCKDB, tableDefinition } from '../../../src/cli/schema/duckdb.ts';
import { POSTGRES, postgres } from '../../../src/cli/schema/postgres.ts';
import { SNOWFLAKE } from '../../../src/cli/schema/snowflake.ts';
import { SPARK } from '../../../src/cli/schema/spark.ts';
import { printViews, VIEWS } from '../../../src/cli/schema/views.ts';
import { openDuckDb, openPostgres } from './engines.ts';
import { ANSWERS } from './hotels.ts';
import { describeViews } from './view-answers.ts';

test('every view has an answer that was worked out by hand', () => {
  expect(ANSWERS.map(({ view }) => view.split(' ')[0])).toEqual(expect.arrayContaining(VIEWS.map(({ name }) => name)));
});

describeViews({ name: 'duckdb', dialect: DUCKDB, open: openDuckDb, table: tableDefinition(), emptyList: '[]' });
describeViews({
  name: 'postgres',
  dialect: POSTGRES,
  open: openPostgres,
  table: /^CREATE TABLE.*?;$/ms.exec(postgres())?.[0] ?? '',
  emptyList: "'{}'",
});

// What cannot run here is read by a parser that knows its words.
test.each([
  [Language.BigQuery, BIGQUERY],
  [Language.Snowflake, SNOWFLAKE],
  [Language.Spark, SPARK],
])('printViews() for %s is parsed', (language, dialect) => {
  const { success, error } = parse(printViews(dialect), language);
  expect({ success, error }).toEqual({ success: true, error: null });
});
