import * as v from 'valibot';
import { expect, test } from 'vitest';
import { COLUMNS, factsOf, RowSchema, SCHEMA_VERSION } from '../../src/contract/row.ts';
import { SMALL_EVENT } from '../sample.ts';
import { sampleRow } from '../sample-row.ts';

/** Every column of the first version in the order that readers rely on, and whether it is about a guest. */
const IS_ABOUT_A_GUEST = {
  event_id: false,
  event_fingerprint: false,
  idempotency_key: false,
  received_at: false,
  occurred_at: false,
  sender: false,
  schema_version: false,
  integration_id: false,
  property_id: false,
  event_type: false,
  reservation_state: false,
  assigned_resource_number: false,
  start_utc: false,
  end_utc: false,
  reservation_id: false,
  reservation_origin: false,
  reservation_purpose: false,
  rate_id: false,
  meal_plan: false,
  room_type_id: false,
  customer_id: true,
  first_name: true,
  last_name: true,
  email: true,
  phone: true,
  nationality_code: true,
  loyalty_code: true,
  preferred_language: true,
  staff_comment: true,
  created_utc: false,
  birth_date: true,
  adult_counts: false,
  child_counts: false,
  warnings: false,
  // Anything may be in it.
  extra: true,
};

const FIRST_COLUMNS = COLUMNS.filter((column) => factsOf(column).since === 1);

test('COLUMNS stand in the order that readers rely on', () => {
  expect(FIRST_COLUMNS).toEqual(Object.keys(IS_ABOUT_A_GUEST));
});

test('factsOf() knows of each column whether it is about a guest', () => {
  const decisions = FIRST_COLUMNS.map((column) => [column, factsOf(column).personal]);
  expect(Object.fromEntries(decisions)).toEqual(IS_ABOUT_A_GUEST);
});

test('factsOf() knows the type of each column, and whether it may be null', () => {
  const types = Object.groupBy(FIRST_COLUMNS, (column) => factsOf(column).type);
  expect(types).toMatchObject({
    timestamp: ['received_at', 'occurred_at', 'start_utc', 'end_utc', 'created_utc'],
    date: ['birth_date'],
    integer: ['schema_version', 'adult_counts', 'child_counts'],
    texts: ['warnings'],
  });
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
