import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { COLUMNS, factsOf, RowSchema, StoredRowSchema } from '../../src/contract/row.ts';
import { SMALL_EVENT } from '../sample.ts';
import { sampleRow } from '../sample-row.ts';

test('COLUMNS stand in the order that readers rely on', () => {
  expect(COLUMNS).toEqual([
    'event_id',
    'event_fingerprint',
    'idempotency_key',
    'received_at',
    'occurred_at',
    'sender',
    'schema_version',
    'integration_id',
    'property_id',
    'event_type',
    'reservation_state',
    'assigned_resource_number',
    'start_utc',
    'end_utc',
    'reservation_id',
    'reservation_origin',
    'reservation_purpose',
    'rate_id',
    'meal_plan',
    'room_type_id',
    'customer_id',
    'first_name',
    'last_name',
    'email',
    'phone',
    'nationality_code',
    'loyalty_code',
    'preferred_language',
    'staff_comment',
    'created_utc',
    'birth_date',
    'adult_counts',
    'child_counts',
    'warnings',
    'extra',
  ]);
});

test('factsOf() has a decision for every column: whether it tells of a guest', () => {
  const { true: personal, false: other } = Object.groupBy(COLUMNS, (column) => `${factsOf(column).personal}`);
  expect(personal).toEqual([
    'customer_id',
    'first_name',
    'last_name',
    'email',
    'phone',
    'nationality_code',
    'loyalty_code',
    'preferred_language',
    'staff_comment',
    'birth_date',
    // Anything may be in it.
    'extra',
  ]);
  expect(other).toEqual([
    'event_id',
    'event_fingerprint',
    'idempotency_key',
    'received_at',
    'occurred_at',
    'sender',
    'schema_version',
    'integration_id',
    'property_id',
    'event_type',
    'reservation_state',
    'assigned_resource_number',
    'start_utc',
    'end_utc',
    'reservation_id',
    'reservation_origin',
    'reservation_purpose',
    'rate_id',
    'meal_plan',
    'room_type_id',
    'created_utc',
    'adult_counts',
    'child_counts',
    'warnings',
  ]);
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
