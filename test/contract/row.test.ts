import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { COLUMNS, factsOf, RowSchema, StoredRowSchema } from '../../src/contract/row.ts';
import { SMALL_EVENT } from '../sample.ts';
import { sampleRow } from '../sample-row.ts';

/** Every column in the order that readers rely on, and whether it tells of a guest. */
const TELLS_OF_A_GUEST = {
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

test('COLUMNS stand in the order that readers rely on', () => {
  expect(COLUMNS).toEqual(Object.keys(TELLS_OF_A_GUEST));
});

test('factsOf() has a decision for every column: whether it tells of a guest', () => {
  const decisions = COLUMNS.map((column) => [column, factsOf(column).personal]);
  expect(Object.fromEntries(decisions)).toEqual(TELLS_OF_A_GUEST);
});

test('factsOf() knows with which schema version a column came', () => {
  expect(COLUMNS.filter((column) => factsOf(column).since > 1)).toEqual(['occurred_at']);
});

describe('StoredRowSchema', () => {
  const row = sampleRow({ ...SMALL_EVENT, UpdatedUtc: '2026-07-01T10:00:00Z' }, '01a21ef9-f32d-7279-bda2-96945fb413af');
  const { occurred_at: _, ...columnsOfVersion1 } = row;
  const earlier = { ...columnsOfVersion1, schema_version: 1 };

  test('takes the rows of every version, and gives null for a column that came later', () => {
    expect(v.parse(StoredRowSchema, row)).toEqual(row);
    expect(v.parse(StoredRowSchema, earlier)).toEqual({ ...earlier, occurred_at: null });
  });

  test('takes no row without a column that every version has', () => {
    for (const column of COLUMNS.filter((name) => factsOf(name).since === 1)) {
      expect(v.is(StoredRowSchema, { ...row, [column]: undefined }), column).toBe(false);
    }
  });

  test('RowSchema takes rows of the present version only', () => {
    expect([v.is(RowSchema, row), v.is(RowSchema, earlier)]).toEqual([true, false]);
  });
});
