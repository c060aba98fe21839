import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { clickhouse } from '../../src/cli/schema/clickhouse.ts';
import { OBJECT_KEY, TABLE } from '../../src/cli/schema/columns.ts';
import { duckdb } from '../../src/cli/schema/duckdb.ts';
import { ATTACHMENTS } from '../../src/cli/schema/iceberg.ts';
import { jsonSchema } from '../../src/cli/schema/json-schema.ts';
import { postgres } from '../../src/cli/schema/postgres.ts';
import { printSchema } from '../../src/cli/schema/print-schema.ts';
import { MEANINGS } from '../../src/contract/meanings.ts';
import { COLUMNS, factsOf, SCHEMA_VERSION } from '../../src/contract/row.ts';
import { outcomeOf } from './commands.ts';

/** One row with a value in every column. */
const ROW = Object.fromEntries(COLUMNS.map((column) => [column, MEANINGS[column].example]));
/** One with as few as there can be. */
const BARE_ROW = Object.fromEntries(
  TABLE.map(({ name, nullable }) => [name, nullable ? null : MEANINGS[name].example]),
);

test.each([
  ['duckdb', duckdb],
  ['clickhouse', clickhouse],
  ['postgres', postgres],
])('%s defines every column in its order, and names the columns that it loads', (_, print) => {
  const [table = ''] = /^CREATE TABLE.*?;$/ms.exec(print()) ?? [];
  const names = Array.from(table.matchAll(/^ {2}(\w+) [A-Za-z]/gm), ([, name]) => name);
  expect(names.slice(0, COLUMNS.length + 1)).toEqual([...COLUMNS, OBJECT_KEY]);
  const inserts = Array.from(print().matchAll(/^ *INSERT INTO.*$/gm), ([insert]) => insert);
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
  const lacking = COLUMNS.filter((name) => !validate({ ...ROW, [name]: undefined }));
  expect(lacking).toEqual(COLUMNS.filter((name) => factsOf(name).since === 1));
  expect(validate({ ...ROW, schema_version: SCHEMA_VERSION + 1 })).toBe(false);
});

describe('printSchema()', () => {
  test.each([
    ['duckdb', "ACCOUNT_ID '<account>.eu'"],
    ['iceberg', "ENDPOINT '<account>.eu.r2.cloudflarestorage.com', URL_STYLE 'path'"],
    ['clickhouse', "s3('https://<account>.eu.r2.cloudflarestorage.com/<bucket>/"],
  ])('prints for %s the address of a bucket in a jurisdiction', (name, address) => {
    const printed = printSchema([name, '--jurisdiction', 'eu']);
    expect(printed).toContain(address);
    expect(printed).not.toContain('<account>.r2.');
  });

  test.each([
    [['duckdb', '--jurisdiction', 'moon'], 'Cannot use --jurisdiction moon: give one of eu, us, fedramp'],
    [['postgres', '--jurisdiction', 'eu'], 'names no address of R2'],
    [['iceberg', '--views'], 'Cannot tell which views to print: name one of duckdb'],
    [['spark'], 'Cannot tell which schema to print: name one of iceberg, duckdb, clickhouse, postgres'],
  ])('says what can be printed when it is called with %j', (args, message) => {
    expect(() => printSchema(args)).toThrow(message);
  });

  test('iceberg says of each engine what has to be put in, and of ClickHouse alone that a test runs it', () => {
    for (const { engine, text } of ATTACHMENTS) {
      // Polars goes on with the catalog of PyIceberg.
      if (engine !== 'Polars')
        for (const part of ['<service>', '<token>', '<key>']) expect(text, engine).toContain(part);
    }
    const executed = printSchema(['iceberg']).match(/^## .* \(a test runs this\)$/gm);
    expect(executed).toEqual(['## ClickHouse (a test runs this)']);
  });

  test.each([[[]], [['mysql']], [['duckdb', 'spark']]])('says what there is when it is called with %j', (args) => {
    expect(() => printSchema(args)).toThrow('name one of iceberg, duckdb, clickhouse, postgres');
  });
});

test('npm run schema prints it, and says how it is used when that fails', async () => {
  const args = ['duckdb', '--jurisdiction', 'eu'];
  expect((await outcomeOf('schema', args)).stdout).toBe(printSchema(args));
  const refused = await outcomeOf('schema', ['mysql']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/name one of iceberg, duckdb.*Usage: npm run --silent schema/s);
});
