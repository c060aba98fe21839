import { describe, expect, test } from 'vitest';
import { COLUMNS, factsOf, RowSchema } from '../../src/contract/row.ts';
import { createKeyedDigest } from '../../src/guests/digest.ts';
import { eraseRow } from '../../src/guests/erase-row.ts';
import { hideGuest } from '../../src/guests/hide-guest.ts';
import { toLine } from '../../src/storage/line.ts';
import { FULL_EVENT } from '../sample.ts';
import { sampleRow } from '../sample-row.ts';

const digest = createKeyedDigest('a key of thirty-two characters or more');
const other = createKeyedDigest('another key of thirty-two characters');

const EVENT = {
  ...FULL_EVENT,
  CustomerId: 'cust-1',
  Email: 'Amelie.Novak@Example.com',
  Phone: '+420 602 123 456',
  LoyaltyCode: 'gold-77',
  PromoCode: 'AMELIE',
};

const EVENT_ID = '019e3b9d-9d90-7c3e-9a54-2b6f0c81d7e4';
const row = (more = {}) => ({ ...sampleRow({ ...EVENT, ...more }, EVENT_ID), idempotency_key: 'amelie-1' });
const personal = COLUMNS.filter((column) => factsOf(column).personal);

describe('hideGuest()', () => {
  test('leaves every column of the guest out, and no column else', () => {
    const before = row();
    const shown = hideGuest(before, 'left_out', digest);
    expect(Object.keys(shown)).toEqual(Object.keys(before));
    for (const column of COLUMNS) {
      if (personal.includes(column)) expect(shown[column]).toBeNull();
      else if (column !== 'event_fingerprint' && column !== 'idempotency_key')
        expect(shown[column]).toEqual(before[column]);
    }
  });

  test('replaces identifiers of a guest by digests, and everything else about the guest by null', () => {
    const shown = hideGuest(row(), 'pseudonyms', digest);
    for (const column of ['customer_id', 'email', 'phone', 'loyalty_code']) {
      expect(shown[column]).toMatch(/^[\da-f]{32}$/);
    }
    for (const column of ['first_name', 'last_name', 'staff_comment', 'birth_date', 'extra']) {
      expect(shown[column]).toBeNull();
    }
    expect(shown).toMatchObject({ nationality_code: 'SE', preferred_language: 'sv-SE' });
  });

  test.each([
    ['Email', 'amelie.novak@example.com '],
    ['Phone', '00420602123456'],
    ['LoyaltyCode', 'GOLD-77'],
    ['CustomerId', ' cust-1 '],
  ])('gives the same guest the same pseudonym when %s is written as %j', (field, written) => {
    const [one, same, another] = [{}, { [field]: written }, { [field]: `${written}9`.replace(' ', '') }].map((more) =>
      hideGuest(row(more), 'pseudonyms', digest),
    );
    const columns = ['customer_id', 'email', 'phone', 'loyalty_code'];
    expect(columns.map((column) => same?.[column])).toEqual(columns.map((column) => one?.[column]));
    expect(columns.map((column) => another?.[column])).not.toEqual(columns.map((column) => one?.[column]));
  });

  test('gives another key other pseudonyms', () => {
    expect(hideGuest(row(), 'pseudonyms', other).email).not.toBe(hideGuest(row(), 'pseudonyms', digest).email);
  });

  test.each(['left_out', 'pseudonyms'] as const)(
    'leaves nothing by which a guess can be tested, and repeats equal, with %s',
    (how) => {
      const [one, repeat, changed] = [row(), row(), { ...row(), event_fingerprint: 'f'.repeat(32) }].map((each) =>
        hideGuest(each, how, digest),
      );
      expect(JSON.stringify(one)).not.toContain('amelie-1');
      expect(one?.event_fingerprint).not.toBe(row().event_fingerprint);
      expect([repeat?.event_fingerprint, repeat?.idempotency_key]).toEqual([
        one?.event_fingerprint,
        one?.idempotency_key,
      ]);
      expect(changed?.event_fingerprint).not.toBe(one?.event_fingerprint);
    },
  );

  test('tells equal content of an erased row and of one that is not', () => {
    const erased = JSON.parse(eraseRow(toLine(row()), digest));
    expect(hideGuest(erased, 'left_out', digest).event_fingerprint).toBe(
      hideGuest(row(), 'left_out', digest).event_fingerprint,
    );
  });
});

test('every column of a guest can be null, and what becomes a digest is text', () => {
  for (const column of personal) {
    const schema = RowSchema.entries[column];
    expect(schema.type, column).toBe('nullable');
    if (factsOf(column).inPseudonyms === 'digest') expect('wrapped' in schema && schema.wrapped.type).toBe('string');
  }
});
