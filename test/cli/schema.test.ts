import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { PROJECT } from '../../src/cli/project.ts';
import { bigquery } from '../../src/cli/schema/bigquery.ts';
import { clickhouse } from '../../src/cli/schema/clickhouse.ts';
import { OBJECT_KEY, TABLE } from '../../src/cli/schema/columns.ts';
import { duckdb } from '../../src/cli/schema/duckdb.ts';
import { jsonSchema } from '../../src/cli/schema/json-schema.ts';
import { postgres } from '../../src/cli/schema/postgres.ts';
import { snowflake } from '../../src/cli/schema/snowflake.ts';
import { spark } from '../../src/cli/schema/spark.ts';
import { MEANINGS } from '../../src/contract/meanings.ts';
import { COLUMNS } from '../../src/contract/row.ts';

/** One row with a value in every column. */
const ROW = Object.fromEntries(COLUMNS.map((column) => [column, MEANINGS[column].example]));
/** One with as few as there can be. */
const BARE_ROW = Object.fromEntries(
  TABLE.map(({ name, nullable }) => [name, nullable ? null : MEANINGS[name].example]),
);

describe('TABLE', () => {
  test('knows the type of every column', () => {
    const types = Object.groupBy(TABLE, ({ type }) => type);
    const names = (type: keyof typeof types) => types[type]?.map(({ name }) => name);
    expect(names('timestamp')).toEqual(['received_at', 'occurred_at', 'start_utc', 'end_utc', 'created_utc']);
    expect(names('date')).toEqual(['birth_date']);
    expect(names('integer')).toEqual(['schema_version', 'adult_counts', 'child_counts']);
    expect(names('texts')).toEqual(['warnings']);
    expect(TABLE.filter(({ nullable }) => !nullable)).toHaveLength(13);
  });
});

test.each([
  ['duckdb', duckdb],
  ['bigquery', bigquery],
  ['snowflake', snowflake],
  ['clickhouse', clickhouse],
  ['spark', spark],
  ['postgres', postgres],
])('%s defines every column in its order, and names the columns that it loads', (_, print) => {
  const [table = ''] = /^CREATE TABLE.*?;$/ms.exec(print()) ?? [];
  const names = Array.from(table.matchAll(/^ {2}(\w+) [A-Za-z]/gm), ([, name]) => name);
  expect(names.slice(0, COLUMNS.length + 1)).toEqual([...COLUMNS, OBJECT_KEY]);
  const inserts = Array.from(print().matchAll(/^ *INSERT (?:INTO|OVERWRITE).*$/gm), ([insert]) => insert);
  expect(inserts).toHaveLength(3);
  // A column that comes later must not move what goes into the others.
  for (const insert of inserts) expect(insert).toMatch(/\((?:[\w, ]+\))?$/);
});

test('json-schema accepts rows and nothing else', () => {
  const validate = addFormats.default(new Ajv2020()).compile(JSON.parse(jsonSchema()));
  expect(validate(ROW), JSON.stringify(validate.errors)).toBe(true);
  expect(validate(BARE_ROW)).toBe(true);
  expect(validate({ ...ROW, start_utc: 'tomorrow' })).toBe(false);
  expect(validate({ ...ROW, another: 1 })).toBe(false);
  expect(validate({ ...ROW, property_id: null })).toBe(false);
  const { occurred_at: _, ...columnsOfVersion1 } = ROW;
  expect(validate({ ...columnsOfVersion1, schema_version: 1 })).toBe(true);
  expect(validate({ ...ROW, schema_version: 3 })).toBe(false);
});

describe('npm run schema', () => {
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(PROJECT, 'src/cli/schema.ts'), ...args]);

  test('prints what it is asked for', async () => {
    expect((await run('postgres')).stdout).toBe(postgres());
  });

  test.each([[[]], [['mysql']], [['duckdb', 'spark']]])(
    'says what there is when it is called with %j',
    async (args) => {
      await expect(run(...args)).rejects.toThrow(
        'name one of duckdb, bigquery, snowflake, clickhouse, spark, postgres',
      );
    },
  );
});
