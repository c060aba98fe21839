import { describe, expect, test } from 'vitest';
import { MAX_WORK } from '../../src/guests/identifiers.ts';
import { readRow } from '../../src/guests/row-identifiers.ts';
import { finds, HOTEL, inRow, ownIn, rowOf } from './selections.ts';

describe('readRow() with ids', () => {
  test('finds ids exactly, but for blanks around them', () => {
    expect(finds({ ...HOTEL, customerIds: [' 1001'] }, ownIn({ CustomerId: 1001 }))).toBe(true);
    expect(finds({ ...HOTEL, customerIds: ['1001'] }, ownIn({ CustomerId: '01001' }))).toBe(false);
    expect(finds({ ...HOTEL, customerIds: ['res-1'] }, ownIn({}))).toBe(false);
    expect(finds({ ...HOTEL, reservationIds: ['res-1'] }, ownIn({}))).toBe(true);
  });

  test.each([{ PropertyId: 'hotel-2' }, { IntegrationId: 'int-2' }, { IntegrationId: 'hotel-1', PropertyId: 'int-1' }])(
    'does not take the same id in %j for the guest',
    (other) => {
      expect(finds({ ...HOTEL, customerIds: ['17'] }, inRow({ CustomerId: '17', ...other }))).toBe(false);
      expect(finds({ ...HOTEL, reservationIds: ['res-1'] }, inRow(other))).toBe(false);
    },
  );

  test('takes ids in extra for those of the hotel of the row, unless it says another', () => {
    expect(finds({ ...HOTEL, customerIds: ['17'] }, inRow({ Guests: [{ Customer: { Id: '17' } }] }))).toBe(true);
    const elsewhere = { Guests: [{ PropertyId: 'hotel-2', CustomerId: '17' }] };
    expect(finds({ ...HOTEL, customerIds: ['17'] }, inRow(elsewhere))).toBe(false);
  });
});

describe('readRow()', () => {
  const Guests = [{ Email: 'second@example.com', Phones: { Mobile: '777 888 999' } }, { Customer: { Id: 'cust-2' } }];
  const event = { Email: 'own@example.com', Guests, StaffComment: 'ask third@example.com or +44 20 7946 0018' };

  test.each([
    { emails: ['second@example.com'] },
    { phones: ['+420 777 888 999'] },
    { ...HOTEL, customerIds: ['cust-2'] },
    { emails: ['third@example.com'] },
    { phones: ['+44 (0)20 7946 0018'] },
  ])('finds %j in extra and in comments, and not as the guest of the stay', (said) => {
    expect(finds(said, inRow(event))).toBe(true);
    expect(finds(said, ownIn(event))).toBe(false);
  });

  test('takes an original that no column could take for the guest’s own', () => {
    const row = rowOf({ Email: 'a'.repeat(10), Phone: ['+420 602 123 456'] });
    expect(row.phone).toBeNull();
    expect(finds({ phones: ['+420 602 123 456'] }, readRow(row).own)).toBe(true);
  });
});

describe('readRow() with what is meant to keep it busy', () => {
  const names = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      FirstName: `aa${at} bb cc dd ee`,
      LastName: 'ff gg',
      BirthDate: '1.2.1987',
    }));
  const fill = (piece: string) => piece.repeat(Math.floor(60_000 / new TextEncoder().encode(piece).length));

  test.each<[string, boolean, Record<string, unknown>]>([
    ['at signs', false, { StaffComment: fill('@') }],
    ['short addresses', true, { StaffComment: fill('a@b.c') }],
    ['distinct addresses', true, { StaffComment: Array.from({ length: 6_000 }, (_, at) => `a${at}@b.cz`).join(' ') }],
    ['a long local part', false, { StaffComment: `${fill('a')}@example.com` }],
    ['numbers', true, { StaffComment: fill('+420602123456 ') }],
    ['zeros', true, { StaffComment: fill('00 ') }],
    ['plus signs and brackets', false, { StaffComment: fill('+ ( ') }],
    ['characters that grow by NFKC', false, { StaffComment: fill('\ufdfa'), FirstName: fill('\ufdfa') }],
    ['characters that grow by folding', false, { StaffComment: fill('⑽') }],
    ['invisible characters', false, { StaffComment: fill('a\u00ad@') }],
    ['backslashes', false, { StaffComment: fill('\\') }],
    ['escapes', false, { StaffComment: fill('\\u0040') }],
    ['people', true, { Guests: names(700) }],
    ['names of members', true, Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`n${at}`, 0]))],
    ['JSON in JSON', false, { Note: fill('[').slice(0, 9_000) }],
    ['ids', true, { Guests: Array.from({ length: 3_000 }, (_, at) => ({ CustomerId: `c${at}` })) }],
  ])('stops at a bound with %s, and says so: %s', (_, expected, columns) => {
    const { own, named, isCut } = readRow(rowOf(columns));
    // Each identifier counts for a thousand characters, and no more than MAX_WORK is done for either.
    expect(own.size + named.size).toBeLessThanOrEqual((2 * MAX_WORK) / 1_000);
    expect(isCut).toBe(expected);
  });

  test('does not say so of the largest row that is meant', () => {
    expect(readRow(rowOf({ StaffComment: 'The guest likes quiet rooms. '.repeat(2_000) })).isCut).toBe(false);
  });
});
