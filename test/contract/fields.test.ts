import { expect, test } from 'vitest';
import { FIELDS } from '../../src/contract/fields.ts';
import { factsOf } from '../../src/contract/row.ts';
import { FULL_EVENT, SMALL_EVENT } from '../sample.ts';

test('FIELDS name every field of the wire once', () => {
  const first = FIELDS.filter(({ column }) => factsOf(column).since === 1);
  expect(first.map(({ wire }) => wire).sort()).toEqual([...Object.keys(FULL_EVENT), 'UpdatedUtc'].sort());
});

test('FIELDS know the seven required fields', () => {
  const required = FIELDS.filter((field) => field.required);
  expect(required.map(({ wire }) => wire).sort()).toEqual(Object.keys(SMALL_EVENT).sort());
});

test('FIELDS carry the kind and the allowed values of the schema', () => {
  expect(FIELDS.filter(({ column }) => ['reservation_origin', 'birth_date', 'email'].includes(column))).toMatchObject([
    {
      wire: 'ReservationOrigin',
      column: 'reservation_origin',
      required: false,
      kind: 'choice',
      allowed: ['GDS', 'ChannelManager', 'BookingEngine', 'Other'],
    },
    { wire: 'Email', column: 'email', required: false, kind: 'text' },
    { wire: 'BirthDate', column: 'birth_date', required: false, kind: 'date' },
  ]);
});
