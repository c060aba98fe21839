import * as v from 'valibot';
import { expect, test } from 'vitest';
import { COLUMNS, factsOf, RowSchema, SCHEMA_VERSION } from '../../src/contract/row.ts';
import { SMALL_EVENT } from '../sample.ts';
import { sampleRow } from '../sample-row.ts';

test('factsOf() knows whether a column may be null', () => {
  const nullable = COLUMNS.filter((column) => factsOf(column).nullable);
  expect(nullable).toEqual(COLUMNS.filter((column) => v.is(RowSchema.entries[column], null)));
});

test('a column that came later may be null, since earlier rows do not have it', () => {
  for (const column of COLUMNS.filter((name) => factsOf(name).since > 1)) expect(factsOf(column).nullable).toBe(true);
});

test('RowSchema takes the row that is written, and no other column or version', () => {
  const row = sampleRow(SMALL_EVENT, '01a21ef9-f32d-7279-bda2-96945fb413af');
  expect(v.parse(RowSchema, row)).toEqual(row);
  for (const other of [
    { ...row, another: null },
    { ...row, schema_version: SCHEMA_VERSION + 1 },
  ]) {
    expect(v.is(RowSchema, other)).toBe(false);
  }
});
