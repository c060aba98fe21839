import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentText, fingerprint } from '../../src/contract/fingerprint.ts';
import type { Reservation } from '../../src/contract/reservation.ts';
import { FULL_EVENT, SMALL_EVENT } from '../sample.ts';
import { normalisedText } from '../sample-row.ts';

const reservationOf = (event: object): Reservation => normalisedText(JSON.stringify(event)).reservation;

test.each([
  ['the smallest event', SMALL_EVENT, null, '269a5f7174d5589b516e05d17611dfe5'],
  ['an event with every field', FULL_EVENT, null, 'ba6a4eb0bcabc554993d1f1137367ab7'],
  ['an event with unknown fields', SMALL_EVENT, '{"Price":12345678901234567890}', 'f94e63f98d5366b41e9e50750bcc5817'],
])('fingerprint() of %s is what it was in every version', async (_, event, extra, expected) => {
  expect(await fingerprint(reservationOf(event), extra)).toBe(expected);
});

test('contentText() is the JSON of the columns that are not null, and of `extra`', () => {
  const text = fc.option(fc.string({ unit: 'binary' }));
  const columns = fc.record({ staff_comment: text, first_name: text, adult_counts: fc.option(fc.nat(9_999)) });
  fc.assert(
    fc.property(columns, text, (some, extra) => {
      const reservation = { ...reservationOf(SMALL_EVENT), ...some };
      const present = Object.entries<unknown>({ ...reservation, extra }).filter(([, value]) => value !== null);
      expect(contentText(reservation, extra)).toBe(JSON.stringify(present));
    }),
  );
});
