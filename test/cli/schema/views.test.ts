import { Dialect, parse } from '@polyglot-sql/sdk';
import { expect, test } from 'vitest';
import { SNOWFLAKE, SPARK, TRINO } from '../../../src/cli/schema/dialect.ts';
import { DUCKDB, tableDefinition } from '../../../src/cli/schema/duckdb.ts';
import { POSTGRES, postgres } from '../../../src/cli/schema/postgres.ts';
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

// What cannot run here is read by a parser that knows its grammar.
test.each([
  ['Snowflake', SNOWFLAKE, Dialect.Snowflake],
  ['Spark', SPARK, Dialect.Spark],
  ['Trino', TRINO, Dialect.Trino],
])('printViews() for %s is parsed', (_, dialect, grammar) => {
  expect(parse(printViews(dialect), grammar)).toMatchObject({ success: true });
  expect(parse('SELECT FROM WHERE', grammar)).toMatchObject({ success: false });
});
