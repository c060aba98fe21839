import { describe, expect, test } from 'vitest';
import { identifiersIn, identifiersOf } from '../../src/guests/identifiers.ts';
import { type GuestSelection, wantedIdentifiers } from '../../src/guests/selection.ts';
import { sampleRow } from '../sample-row.ts';

const NOBODY: GuestSelection = {
  customerIds: [],
  reservationIds: [],
  emails: [],
  phones: [],
  names: [],
  birthDates: [],
  senders: [],
};

const EVENT = {
  IntegrationId: 'int-1',
  PropertyId: 'hotel-1',
  EventType: 'ReservationConfirmed',
  ReservationState: 'Confirmed',
  AssignedResourceNumber: '101',
  StartUtc: '2026-07-10T14:00:00Z',
  EndUtc: '2026-07-14T10:00:00Z',
  ReservationId: 'res-1',
};

const EVENT_ID = '019e3b9d-9d90-7c3e-9a54-2b6f0c81d7e4';

/** Whether a person who says this finds a guest of whom that is stored. */
function finds(said: Partial<GuestSelection>, stored: ReadonlySet<string>): boolean {
  return !stored.isDisjointFrom(wantedIdentifiers({ ...NOBODY, ...said }));
}

const rowOf = (columns: Record<string, unknown>) => identifiersOf(sampleRow({ ...EVENT, ...columns }, EVENT_ID));

describe('identifiersOf()', () => {
  const NUMBER = '+420 602 123 456';

  test.each([
    '00420602123456',
    '602 123 456',
    '602123456',
    '420602123456',
    '(+420) 602-123-456',
    '+420(0)602 123 456',
    '+420\u00a0602\u00a0123\u00a0456',
    '＋４２０ ６０２ １２３ ４５６',
    'tel: +420602123456',
    '+420 602 123 456 ext. 12',
    '+420602123456;ext=12',
    '+49 30 123456 / +420 602 123 456',
    '0602 123 456',
    420602123456,
  ])('meets +420 602 123 456 in the column phone as %s, whichever of both is stored', (Phone) => {
    expect(finds({ phones: [NUMBER] }, rowOf({ Phone }))).toBe(true);
    expect(finds({ phones: [String(Phone)] }, rowOf({ Phone: NUMBER }))).toBe(true);
  });

  test.each([
    ['+420 602 123 456', '+421 602 123 456'],
    ['+420 602 123 456', '+420 602 123 457'],
    ['+420 602 123 456', '602 123 45'],
    ['+1 420 602 1234', '+420 602 123 456'],
    ['602 123 456', '+420 777 123 456'],
  ])('keeps %s and %s apart', (wanted, Phone) => {
    expect(finds({ phones: [wanted] }, rowOf({ Phone }))).toBe(false);
    expect(finds({ phones: [Phone] }, rowOf({ Phone: wanted }))).toBe(false);
  });

  test.each([
    ['+39 06 1234 5678', '06 1234 5678'],
    ['+44 20 7946 0018', '(020) 7946 0018'],
    ['+1 415 555 0100', '(415) 555-0100'],
    ['+1 415 555 0100', '1-415-555-0100'],
    ['+49 (0)30 123456', '030/123456'],
  ])('knows %s as %s within its country', (wanted, Phone) => {
    expect(finds({ phones: [wanted] }, rowOf({ Phone }))).toBe(true);
    expect(finds({ phones: [Phone] }, rowOf({ Phone: wanted }))).toBe(true);
  });

  test('takes a few digits for no telephone number', () => {
    expect([...wantedIdentifiers({ ...NOBODY, phones: ['0', '12345', 'none'] })]).toEqual([]);
    expect([...rowOf({ Phone: '12345' })].filter((identifier) => identifier.startsWith('phone'))).toEqual([]);
  });

  test.each([
    ' Amelie.Novak@Example.COM ',
    'mailto:amelie.novak@example.com',
    'Amélie Novák <amelie.novak@example.com>',
    'other@example.com; amelie.novak@example.com',
    'amelie.novak@example.com.',
  ])('meets an e-mail address as %j', (Email) => {
    expect(finds({ emails: ['amelie.novak@example.com'] }, rowOf({ Email }))).toBe(true);
    expect(finds({ emails: [Email] }, rowOf({ Email: 'amelie.novak@example.com' }))).toBe(true);
  });

  test('meets an address that is decomposed, and a domain with letters beyond ASCII', () => {
    expect(finds({ emails: ['amélie@bücher.example'] }, rowOf({ Email: 'AME\u0301LIE@xn--bcher-kva.example' }))).toBe(
      true,
    );
  });

  test('keeps apart mailboxes that differ in a dot or a plus', () => {
    expect(finds({ emails: ['a.b@example.com'] }, rowOf({ Email: 'ab@example.com' }))).toBe(false);
    expect(finds({ emails: ['ab@example.com'] }, rowOf({ Email: 'ab+1@example.com' }))).toBe(false);
  });

  test.each([
    ['Amélie Novák', 'Amelie', 'NOVAK'],
    ['novák amélie', 'Amélie', 'Novák'],
    ['Ame\u0301lie Nova\u0301k', ' Amélie', 'Novák '],
    ['Jean Pierre O’Brien', 'Jean-Pierre', "O'Brien"],
    ['Jörg Müller', 'Joerg', 'Mueller'],
    ['Joerg Mueller', 'Jörg', 'Müller'],
    ['Jorg Muller', 'Jörg', 'Müller'],
    ['Søren Weiß', 'Soren', 'Weiss'],
    ['Łukasz Đorđević', 'Lukasz', 'Dordevic'],
    ['Νίκος Παπάς', 'ΝΊΚΟΣ', 'ΠΑΠΆΣ'],
  ])('meets the name %s as %s %s', (name, FirstName, LastName) => {
    const said = { names: [name], birthDates: ['1987-11-02'] };
    expect(finds(said, rowOf({ FirstName, LastName, BirthDate: '1987-11-02T00:00:00Z' }))).toBe(true);
    expect(finds(said, rowOf({ FirstName, LastName, BirthDate: '1987-11-03' }))).toBe(false);
    expect(finds(said, rowOf({ FirstName, LastName }))).toBe(false);
  });

  test('reads a date of birth that the column could not take', () => {
    const said = { names: ['Amélie Novák'], birthDates: ['1987-11-02'] };
    for (const BirthDate of ['2.11.1987', '11/02/1987', '02. 11. 1987', '1987/11/02']) {
      const stored = rowOf({ FirstName: 'Amélie', LastName: 'Novák' });
      expect(finds(said, stored)).toBe(false);
      expect(finds(said, identifiersOf({ FirstName: 'Amélie', LastName: 'Novák', BirthDate }))).toBe(true);
    }
  });

  test('finds ids exactly, but for blanks around them', () => {
    expect(finds({ customerIds: [' 1001'] }, rowOf({ CustomerId: 1001 }))).toBe(true);
    expect(finds({ customerIds: ['1001'] }, rowOf({ CustomerId: '01001' }))).toBe(false);
    expect(finds({ customerIds: ['res-1'] }, rowOf({}))).toBe(false);
    expect(finds({ reservationIds: ['res-1'] }, rowOf({}))).toBe(true);
  });

  test('finds the ids of one sender when it is said whose they are, and those of which it is not known', () => {
    const stored = identifiersOf({ sender: 'opera', customer_id: '1001' });
    expect(finds({ customerIds: ['1001'] }, stored)).toBe(true);
    expect(finds({ customerIds: ['1001'], senders: ['opera'] }, stored)).toBe(true);
    expect(finds({ customerIds: ['1001'], senders: ['mews'] }, stored)).toBe(false);
    expect(finds({ customerIds: ['1001'], senders: ['mews'] }, identifiersOf({ customer_id: '1001' }))).toBe(true);
  });

  test('looks into extra and into comments', () => {
    const Guests = [{ Email: 'second@example.com', Phones: { Mobile: '777 888 999' } }, { Customer: { Id: 'cust-2' } }];
    const stored = rowOf({ Guests, StaffComment: 'ask third@example.com or +44 20 7946 0018' });
    expect(finds({ emails: ['second@example.com'] }, stored)).toBe(true);
    expect(finds({ phones: ['+420 777 888 999'] }, stored)).toBe(true);
    expect(finds({ customerIds: ['cust-2'] }, stored)).toBe(true);
    expect(finds({ emails: ['third@example.com'] }, stored)).toBe(true);
    expect(finds({ phones: ['+44 (0)20 7946 0018'] }, stored)).toBe(true);
  });
});

describe('identifiersIn()', () => {
  const SAID: Partial<GuestSelection>[] = [
    { customerIds: ['cust-20733'] },
    { emails: ['amelie.novak@example.com'] },
    { phones: ['+420 602 123 456'] },
    { names: ['Amélie Novák'], birthDates: ['1987-11-02'] },
  ];
  const JSON_BODY =
    '{"customerID":"cust-20733","FirstName":"Am\\u00e9lie","LastName":"Novák","BirthDate":"1987-11-02","Email":"Amelie.Novak@example.com","Phone":"602 123 456","x":0}';

  test.each([
    ['JSON', JSON_BODY],
    ['JSON that is cut off', JSON_BODY.slice(0, -4)],
    ['JSON with a comma too many', JSON_BODY.replace('"x":0', '"x":0,')],
    ['a list in an envelope', `{"data":{"events":[{"x":1},${JSON_BODY}]}}`],
    ['JSON in a text', JSON.stringify({ payload: JSON_BODY })],
    ['lines of JSON', `{"Email":"someone@example.com"}\n${JSON_BODY}\n`],
    ['a name that comes twice', JSON_BODY.replace('"x":0', '"customerID":"1","Email":"","Phone":"","BirthDate":""')],
    [
      'XML',
      '<r><CustomerId>cust-20733</CustomerId><FirstName>Amélie</FirstName><LastName>Novák</LastName><BirthDate>1987-11-02</BirthDate><Email>amelie.novak@example.com</Email><Phone>602123456</Phone></r>',
    ],
    [
      'single quotes',
      "{'CustomerId': 'cust-20733', 'FirstName': 'Amélie', 'LastName': 'Novák', 'BirthDate': '1987-11-02', 'Email': 'amelie.novak@example.com', 'Phone': '+420602123456'}",
    ],
  ])('finds a guest in %s', (_, body) => {
    for (const said of SAID) expect([said, finds(said, identifiersIn(body))]).toEqual([said, true]);
  });

  test('takes the digits of a long number as they were written', () => {
    expect(finds({ customerIds: ['12345678901234567890'] }, identifiersIn('{"CustomerId":12345678901234567890}'))).toBe(
      true,
    );
  });

  test('finds an id, an address and a number in text without names', () => {
    const stored = identifiersIn('2026-11-28,cust-20733,amelie.novak@example.com,+420 602 123 456');
    for (const said of SAID.slice(0, 3)) expect([said, finds(said, stored)]).toEqual([said, true]);
  });

  test('does not take a count for an id', () => {
    expect(finds({ customerIds: ['2'], reservationIds: ['2'] }, identifiersIn('{"AdultCounts":2,'))).toBe(false);
  });

  test('finds the guest of a line as a row', () => {
    const row = sampleRow({ ...EVENT, CustomerId: 'cust-20733' }, EVENT_ID);
    expect(finds({ customerIds: ['cust-20733'], senders: [row.sender] }, identifiersIn(JSON.stringify(row)))).toBe(
      true,
    );
  });

  test.each([
    ['of at signs', '@'.repeat(65_536)],
    ['without an at sign before the end', `${'a'.repeat(65_000)}@ `],
    ['of digits', `{"Phone":"+${'1'.repeat(65_000)}`],
    ['of brackets', '['.repeat(65_536)],
    ['of names', '"FirstName":"a","firstname":"b","LASTNAME":"c","BirthDate":"1987-11-02",'.repeat(900)],
    ['of blanks', `abc${' '.repeat(65_000)}`],
    ['of quotes', 'abc="'.repeat(13_000)],
  ])('reads a hostile body %s in a time that grows with its length', (_, body) => {
    // Twice the length takes some twice the time; by the square it would be minutes and not this test's.
    expect(identifiersIn(body).size).toBeLessThan(100_000);
  });
});
