import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readKeptLine } from '../../../src/cli/guests/kept-line.ts';
import { lineFilter } from '../../../src/cli/guests/line-filter.ts';
import { type GuestSelection, wantedIdentifiers } from '../../../src/guests/selection.ts';
import { toLine } from '../../../src/storage/line.ts';
import { HOTEL, NOBODY, rowOf } from '../../guests/selections.ts';

const GUEST: GuestSelection = {
  ...NOBODY,
  ...HOTEL,
  customerIds: ['cust-20733', '17'],
  reservationIds: ['R:1.2'],
  emails: ['Amelie.Novak+x@example.com'],
  phones: ['+39 06 1234 567'],
  names: ['Amélie Novák'],
  birthDates: ['1987-11-02'],
};
const WANTED = wantedIdentifiers(GUEST);
const FILTER = lineFilter(WANTED);

/** Ways in which a character may be written that are read as that character. */
const DISGUISES: readonly ((char: string) => string)[] = [
  (char) => char,
  (char) => char,
  (char) => char.toUpperCase(),
  (char) => `${char}\u00ad`,
  (char) => `\u200b${char}`,
  (char) => (/[!-~]/.test(char) ? String.fromCodePoint(char.charCodeAt(0) + 0xfee0) : char),
  (char) => `%${char.charCodeAt(0).toString(16)}`,
  (char) => `&#${char.charCodeAt(0)};`,
  (char) => `&#x${char.charCodeAt(0).toString(16)};`,
  (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  (char) => (/\d/.test(char) ? String.fromCodePoint(0x660 + Number(char)) : char),
  (char) => (/[1-9]/.test(char) ? String.fromCodePoint(0x245f + Number(char)) : char),
];

const SEPARATORS = ['', '', ' ', '-', '\u00a0', '.', '\n', ' (', ') ', '\t', '\\n'];

/** A text, written in some of these ways. */
function disguised(text: string, separators: readonly string[] = ['']): fc.Arbitrary<string> {
  const chars = [...text].map((char) =>
    fc
      .tuple(fc.nat(DISGUISES.length - 1), fc.constantFrom(...separators))
      .map(([how, after]) => (DISGUISES[how]?.(char) ?? char) + after),
  );
  return fc.tuple(...chars).map((written) => written.join(''));
}

const VALUES: fc.Arbitrary<string> = fc.oneof(
  disguised('amelie.novak+x@example.com'),
  disguised('+39061234567', SEPARATORS),
  disguised('0039061234567', SEPARATORS),
  disguised('061234567', SEPARATORS),
  fc.constantFrom('17', ' 17 ', 'cust-20733', '\tR:1.2\n'),
);

/** Where a value stands. */
const PLACES: readonly ((value: string) => Record<string, unknown>)[] = [
  (value) => ({ Email: value }),
  (value) => ({ Phone: value }),
  (value) => ({ CustomerId: value }),
  (value) => ({ ReservationId: value }),
  (value) => ({ StaffComment: `see ${value}, please` }),
  (value) => ({ Other: { deep: [{ Email: value, Mobile: value, Customer: { Id: value } }] } }),
  (value) => ({ Other: JSON.stringify({ Email: value, Phone: value }) }),
  (value) => ({ Other: JSON.stringify(JSON.stringify({ Email: value, CustomerId: value })) }),
  (value) => ({ Other: Buffer.from(JSON.stringify({ Email: value, Phone: value })).toString('base64') }),
];

const DATES = fc.oneof(
  ...['1987-11-02', '19871102', '2.11.1987', '11/02/1987', '02. 11. 1987'].map((date) => disguised(date)),
);

describe('lineFilter()', () => {
  test('lets pass every line in which the matcher finds the guest', async () => {
    let found = 0;
    const columns = fc.oneof(
      { weight: 4, arbitrary: fc.tuple(VALUES, fc.constantFrom(...PLACES)).map(([value, place]) => place(value)) },
      DATES.map((BirthDate) => ({ FirstName: 'Amélie', LastName: 'Novák', BirthDate })),
      DATES.map((DateOfBirth) => ({ Guest: { FullName: 'Novák, Amélie', DateOfBirth } })),
    );
    await fc.assert(
      fc.asyncProperty(columns, async (sent) => {
        const line = toLine(rowOf(sent));
        const reading = await readKeptLine('events', line);
        if (reading.found.isDisjointFrom(WANTED)) return;
        found += 1;
        expect(FILTER?.test(line), line).toBe(true);
      }),
      { numRuns: 3_000 },
    );
    // Else this would say little.
    expect(found).toBeGreaterThan(600);
  });

  test('lets pass a date of birth whose day and month have one digit', () => {
    const filter = lineFilter(wantedIdentifiers({ ...NOBODY, names: ['Amélie Novák'], birthDates: ['1987-02-03'] }));
    expect(filter?.test('"BirthDate":"3.2.1987"')).toBe(true);
    expect(filter?.test('"BirthDate":"4.2.1987"')).toBe(false);
  });

  test('leaves out the line of another guest', () => {
    const other = {
      CustomerId: 'cust-217',
      FirstName: 'Zoë',
      LastName: 'Šťastný',
      Email: 'jan@example.com',
      Phone: '+420 777 888 999',
      BirthDate: '1990-01-01',
      StaffComment: 'Příjezd po 22:00 – děti „doma“',
    };
    expect(FILTER?.test(toLine(rowOf(other)))).toBe(false);
  });

  test('lets pass an address with a slash that JSON within text escapes', () => {
    const wanted = wantedIdentifiers({ ...NOBODY, emails: ['team/x@example.com'] });
    const mail = '{"Email":"team\\/x@example.com"}';
    for (const Other of [mail, JSON.stringify({ Other: mail })]) {
      const line = toLine(rowOf({ Other }));
      expect(lineFilter(wanted)?.test(line), line).toBe(true);
    }
  });

  test('is none where a value may be written in several ways', () => {
    for (const change of [{ emails: ['amélie@example.com'] }, { customerIds: ['a "b"'] }]) {
      expect(lineFilter(wantedIdentifiers({ ...GUEST, ...change }))).toBeUndefined();
    }
  });
});
