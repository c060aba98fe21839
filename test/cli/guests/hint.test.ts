import { describe, expect, test } from 'vitest';
import { hintOf } from '../../../src/cli/guests/hint.ts';
import { identifiersOfLine } from '../../../src/guests/line-identifiers.ts';
import { type GuestSelection, wantedIdentifiers } from '../../../src/guests/selection.ts';
import { toLine } from '../../../src/storage/line.ts';
import { SMALL_EVENT } from '../../sample.ts';
import { sampleRow } from '../../sample-row.ts';

const EVENT_ID = '019e3b9d-9d90-7c3e-9a54-2b6f0c81d7e4';

const GUEST: GuestSelection = {
  customerIds: ['cust-20733'],
  reservationIds: ['R:1.2'],
  emails: ['Amelie.Novak+x@example.com'],
  phones: ['+39 06 1234 567'],
  names: ['Amélie Novák'],
  birthDates: ['1987-11-02'],
  senders: [],
};

const lineOf = (columns: object) => toLine(sampleRow({ ...SMALL_EVENT, ...columns }, EVENT_ID));

describe('hintOf()', () => {
  test.each([
    { CustomerId: ' cust-20733 ' },
    { ReservationId: 'R:1.2' },
    { Email: 'AMELIE.NOVAK+X@EXAMPLE.COM' },
    { Email: 'amelie.novak+x@example.com' },
    { Other: { deep: [{ Email: 'amelie.novak+x@example.com' }] } },
    { Other: { Guest: { Customer: { Id: 'cust-20733' } } } },
    { Phone: '+39061234567' },
    { Phone: '0039 (0)6 1234/567' },
    { Phone: '06\t12\u00a034-567' },
    { Phone: '06 ¹²³⁴ ₅₆₇' },
    { Phone: '０６ １２３４ ５６７' },
    { Phone: 61234567 },
    { Other: { Mobile: '06\t12\u202834\t567' } },
    { StaffComment: 'call +39 06\n1234\n567' },
    { FirstName: 'Novák', LastName: 'Amélie', BirthDate: '1987-11-02T00:00:00Z' },
    { Other: { FirstName: 'Amélie', LastName: 'Novak', BirthDate: '2. 11. 1987' } },
  ])('matches the line of %j', async (columns) => {
    const line = lineOf(columns);
    const wanted = wantedIdentifiers(GUEST);
    expect(wanted.isDisjointFrom(await identifiersOfLine(line))).toBe(false);
    expect(hintOf(wanted)?.test(line)).toBe(true);
  });

  test('leaves out the line of another guest', () => {
    const other = {
      CustomerId: 'cust-1',
      Email: 'jan@example.com',
      Phone: '+420 777 888 999',
      BirthDate: '1990-01-01',
    };
    expect(hintOf(wantedIdentifiers(GUEST))?.test(lineOf(other))).toBe(false);
  });

  test('is none where a value may be written in several ways', () => {
    for (const change of [{ emails: ['amélie@example.com'] }, { customerIds: ['a "b"'] }]) {
      expect(hintOf(wantedIdentifiers({ ...GUEST, ...change }))).toBeUndefined();
    }
  });
});
