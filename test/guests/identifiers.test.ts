import { describe, expect, test } from 'vitest';
import { wholeEmail } from '../../src/guests/email.ts';
import { MAX_WORK } from '../../src/guests/identifiers.ts';
import { readRow } from '../../src/guests/row-identifiers.ts';
import { wantedIdentifiers } from '../../src/guests/selection.ts';
import { finds, HOTEL, inRow, NOBODY, ownIn, rowOf } from './selections.ts';

describe('readRow() with telephone numbers', () => {
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
    '+420 602 123 456 x 1234567',
    '+420602123456;ext=12',
    '+420 602 123 456 #12',
    '+49 30 123456 / +420 602 123 456',
    '+420 602 123 456 +49 30 123456',
    '+420 602 123 456, 030 123456',
    '777 888 999 or 602 123 456',
    '777 888 999 602 123 456',
    '777 888 999 / 602 123 456',
    '011 420 602 123 456',
    '0011 420 602 123 456',
    '+٤٢٠ ٦٠٢ ١٢٣ ٤٥٦',
    '⑥⓪② ①②③ ④⑤⑥',
    '❻⓿❷ ➊➋➌ ➃➄➅',
    '+420 602\u00ad123\u200b456',
    '0602 123 456',
    '0602 / 123 456',
    '+420 / 602 123 456',
    '00420 (0)602 / 12 34 56',
    '030 / 123456 / 0602 / 123456',
    420602123456,
  ])('meets +420 602 123 456 as %s', (Phone) => {
    expect(finds({ phones: [NUMBER] }, ownIn({ Phone }))).toBe(true);
  });

  test.each(['00420602123456', '602 123 456', '+420(0)602 123 456', '011 420 602 123 456', '0602 123 456'])(
    'meets it when %s is asked for',
    (said) => {
      expect(finds({ phones: [said] }, ownIn({ Phone: NUMBER }))).toBe(true);
    },
  );

  test.each([
    ['+420 602 123 456', '+421 602 123 456'],
    ['+420 602 123 456', '+420 602 123 457'],
    ['+420 602 123 456', '602 123 45'],
    ['+1 420 602 1234', '+420 602 123 456'],
    ['602 123 456', '+420 777 123 456'],
    ['0602 / 123 456', '+420 123 456'],
  ])('keeps %s and %s apart', (wanted, Phone) => {
    expect(finds({ phones: [wanted] }, ownIn({ Phone }))).toBe(false);
    expect(finds({ phones: [Phone] }, ownIn({ Phone: wanted }))).toBe(false);
  });

  test.each([
    ['+39 06 1234 5678', '06 1234 5678'],
    ['+44 20 7946 0018', '(020) 7946 0018'],
    ['+1 415 555 0100', '(415) 555-0100'],
    ['+1 415 555 0100', '1-415-555-0100'],
    ['+49 (0)30 123456', '030/123456'],
    ['+39 011 436 1234', '011 436 1234'],
  ])('knows %s as %s within its country', (wanted, Phone) => {
    expect(finds({ phones: [wanted] }, ownIn({ Phone }))).toBe(true);
    expect(finds({ phones: [Phone] }, ownIn({ Phone: wanted }))).toBe(true);
  });

  test('meets one of a country whose numbers have five digits', () => {
    expect(finds({ phones: ['+500 21 234'] }, ownIn({ Phone: '0050021234' }))).toBe(true);
  });

  test('takes a few digits for no telephone number', () => {
    expect([...wantedIdentifiers({ ...NOBODY, phones: ['0', '12345', 'none'] })]).toEqual([]);
    expect([...ownIn({ Phone: '12345' })].filter((identifier) => identifier.startsWith('phone'))).toEqual([]);
  });
});

describe('readRow() with e-mail addresses', () => {
  const ADDRESS = 'amelie.novak@example.com';

  test.each([
    ' Amelie.Novak@Example.COM ',
    'mailto:amelie.novak@example.com',
    'Amélie Novák <amelie.novak@example.com>',
    'other@example.com; amelie.novak@example.com',
    'amelie.novak@example.com.',
    'amelie.novak＠example.com',
    'amelie.novak@example。com',
    'ame\u00adlie.novak@exam\u200bple.com',
    '\ufeffamelie.novak@example.com\u200e',
    'ａｍｅｌｉｅ.novak@example.com',
    'amelie.novak%40example.com',
    'amelie.novak&#64;example.com',
    'amelie.novak&commat;example.com',
  ])('meets one in its column as %j', (Email) => {
    expect(finds({ emails: [ADDRESS] }, ownIn({ Email }))).toBe(true);
  });

  test.each([
    '!amelie.novak@example.com!',
    '*amelie.novak@example.com*',
    '–amelie.novak@example.com–',
    'write to…amelie.novak@example.com…',
    'amelie.novak@example.com。',
    '連絡先amelie.novak@example.comまで',
    '“amelie.novak@example.com”',
    "'amelie.novak@example.com'",
    '«amelie.novak@example.com»',
    'amelie.novak@example.com’s room',
    "amelie.novak@example.com's room",
    '📧amelie.novak@example.com📧',
    'ask\u200bamelie.novak@example.com',
    'https://example.com/?email=amelie.novak@example.com&x=1',
    '{"Email":"amelie.novak\\u0040example.com"}',
    'said {"Email":"amelie.novak\\u0040example.com"}',
    btoa('{"Email":"amelie.novak@example.com"}'),
    '&#1114112; &#xffffffff; amelie.novak@example.com',
  ])('finds one in a comment, and in extra, as %j', (text) => {
    expect(finds({ emails: [ADDRESS] }, inRow({ StaffComment: text }))).toBe(true);
    expect(finds({ emails: [ADDRESS] }, inRow({ Note: { text } }))).toBe(true);
  });

  test('finds one that is the name of a member, and its number', () => {
    const row = inRow({
      Guests: { 'Amelie.Novak@example.com': { '+420 602 123 456': 1 }, 'amelie.novak%40b.example': [] },
    });
    expect(finds({ emails: [ADDRESS] }, row)).toBe(true);
    expect(finds({ emails: ['amelie.novak@b.example'] }, row)).toBe(true);
    expect(finds({ phones: ['602123456'] }, row)).toBe(true);
    expect(finds({ emails: ['novak@example.com'] }, row)).toBe(false);
  });

  test.each([
    ['neil@example.com', "o'neil@example.com"],
    ['b@example.com', 'a&b@example.com'],
    ['x@example.com', 'team/x@example.com'],
    ['x@example.com', 'team=x@example.com'],
    ['lie.novak@example.com', 'ame\u0301lie.novak@example.com'],
    ['neil@example.com', '"o neil"@example.com'],
    ['novak@example.com', `${'a'.repeat(80)}.novak@example.com`],
    ['a.b@example.com', 'ab@example.com'],
    ['ab@example.com', 'ab+1@example.com'],
    ['ab@example.com', 'ab@example.com.au'],
    ['ab@example.com', 'ab@example.community'],
  ])('does not take %s for %s, of which it is a piece', (said, stored) => {
    expect(finds({ emails: [said] }, ownIn({ Email: stored }))).toBe(false);
    expect(finds({ emails: [said] }, inRow({ StaffComment: `write to ${stored} first` }))).toBe(false);
    expect(finds({ emails: [said] }, inRow({ Guests: [{ Mail: stored }] }))).toBe(false);
  });

  test.each(["o'neil@example.com", 'a&b@example.com', 'team/x@example.com', '"o neil"@example.com', '*x@example.com'])(
    'meets %s as a whole',
    (address) => {
      expect(finds({ emails: [address] }, ownIn({ Email: address }))).toBe(true);
    },
  );

  test('cuts nothing off what stands in a field for an address', () => {
    expect(finds({ emails: ['x@example.com'] }, ownIn({ Email: '*x@example.com' }))).toBe(false);
  });

  test('finds one in a comment whose local part is as long as one may be, and no longer one', () => {
    const of = (length: number) => `${'a'.repeat(length)}@example.com`;
    expect(finds({ emails: [of(64)] }, inRow({ StaffComment: `write to ${of(64)} first` }))).toBe(true);
    expect(finds({ emails: [of(65)] }, inRow({ StaffComment: `write to ${of(65)} first` }))).toBe(false);
  });

  test.each(['𠏿', '﨎'])('finds one in a comment whose local part has the letter %s', (letter) => {
    const address = `a${letter}b@example.com`;
    expect(finds({ emails: [address] }, inRow({ StaffComment: `write to ${address} first` }))).toBe(true);
  });

  test('meets an address that is decomposed, and a domain with letters beyond ASCII', () => {
    expect(finds({ emails: ['amélie@bücher.example'] }, ownIn({ Email: 'AME\u0301LIE@xn--bcher-kva.example' }))).toBe(
      true,
    );
  });
});

describe('wholeEmail()', () => {
  test.each([
    'a@example.com, b@example.com',
    'A <a@example.com>',
    'a@b@example.com',
    'a',
    '@example.com',
    'a b@example.com',
    'mailto:a@example.com',
  ])('takes %j for no single address', (text) => {
    expect(wholeEmail(text)).toBeUndefined();
  });
});

describe('readRow() with names and dates of birth', () => {
  test.each([
    ['Amélie Novák', 'Amelie', 'NOVAK'],
    ['novák amélie', 'Amélie', 'Novák'],
    ['Ame\u0301lie Nova\u0301k', ' Amélie', 'Novák '],
    ['Amélie Novák', 'Amélie Marie', 'Novák'],
    ['Amélie Novák', 'Ing. Amélie', 'Novák, Ph.D.'],
    ['Mrs Amélie Novák', 'Amélie', 'Novák'],
    ['Amélie M. Novák', 'Amélie', 'Novák'],
    ['Amélie Novák', '', 'Novák, Amélie'],
    ['Amélie Novák', 'Amélie Novák', ''],
    ['Jean Pierre O’Brien', 'Jean-Pierre', "O'Brien"],
    ['Jeanpierre OBrien', 'Jean-Pierre', 'OʼBrien'],
    ['Jean Pierre O’Brien', 'Jean Pierre', 'OʻBrien'],
    ['Novák Jeanpierre', 'Jean-Pierre', 'Novák'],
    ['Jörg Müller', 'Joerg', 'Mueller'],
    ['Joerg Mueller', 'Jörg', 'Müller'],
    ['Jorg Muller', 'Jörg', 'Müller'],
    ['Jorg Mueller', 'Joerg', 'Muller'],
    ['Joern Aagaard', 'Jørn', 'Ågård'],
    ['Jørn Berg', 'Joern', 'Berg'],
    ['Søren Weiß', 'Soren', 'Weiss'],
    ['Łukasz Đorđević', 'Lukasz', 'Dordevic'],
    ['Đorđe Anđelić', 'Djordje', 'Andjelic'],
    ['Djordje Andjelic', 'Đorđe', 'Anđelić'],
    ['Dorde Andelic', 'DJORDJE', 'Andjelic'],
    ["Mary O'Neil", 'Mary', 'O Neil'],
    ['Mary O Neil', 'Mary Ann', 'O’Neil'],
    ["O'Neil Mary", 'Mary', 'O Neil'],
    ['Mary O’ Neil', 'Mary', 'ONeil'],
    ['mary o neil', 'Mary', "O'Neil"],
    ["Anna D'Angelo", 'Anna', 'D Angelo'],
    ['Anna O. Neil', 'Anna', 'Neil'],
    ['Anna O Neil', 'Anna', 'Neil'],
    ['Νίκος Παπάς', 'ΝΊΚΟΣ', 'ΠΑΠΆΣ'],
    ['山田 太郎', '太郎', '山田'],
    ['王小明', '小明', '王'],
    ['王 小明', '', '王小明'],
    ['王小明', '王小明', ''],
    ['김민수', '민수', '김'],
    ['マイケル・ジョーダン', 'マイケル', 'ジョーダン'],
    ['Wei Pan', 'Wei', 'Pan'],
    ['PAN Wei', 'Mr Wei', 'Pan'],
    ['Pan Jan Novák', 'Jan', 'Novák'],
    ['Jan Novák', 'Pan Jan', 'Novák'],
  ])('meets the name %s as %j %j', (name, FirstName, LastName) => {
    const said = { names: [name], birthDates: ['1987-11-02'] };
    expect(finds(said, ownIn({ FirstName, LastName, BirthDate: '1987-11-02T00:00:00Z' }))).toBe(true);
    expect(finds(said, ownIn({ FirstName, LastName, BirthDate: '1987-11-03' }))).toBe(false);
    expect(finds(said, ownIn({ FirstName, LastName }))).toBe(false);
  });

  test.each([
    ['Anna Maria Novák', 'Eva Maria', 'Novák'],
    ['Novák Anna Maria', 'Eva Maria', 'Novák'],
    ['Anna Novák', 'Eva', 'Novák'],
    ['Anna Novák', 'Anna', 'Nováková'],
    ['王小明', '', '小明'],
    ['王小明', '小', '王'],
    ['Wei Pan', 'Wei', 'Li'],
    ['Wei Pan', 'Wei', ''],
    ['Wei Li', 'Wei', 'Pan'],
    ["Mary O'Neil", 'Mary', 'Neil'],
    ['O Neil', '', "O'Neil"],
    ['O Neil', 'O', 'Neil'],
  ])('does not take %s for %s %s of the same birth date', (name, FirstName, LastName) => {
    const said = { names: [name], birthDates: ['1987-11-02'] };
    expect(finds(said, ownIn({ FirstName, LastName, BirthDate: '1987-11-02' }))).toBe(false);
  });

  test.each(['2.11.1987', '11/02/1987', '02. 11. 1987', '1987/11/02', 19871102, '２.１１.１９８７'])(
    'reads the date of birth %s, which the column could not take, with the names in the columns',
    (BirthDate) => {
      const said = { names: ['Amélie Novák'], birthDates: ['1987-11-02'] };
      const row = rowOf({ FirstName: 'Amélie', LastName: 'Novák', BirthDate });
      expect(row.birth_date).toBeNull();
      expect(finds(said, readRow(row).own)).toBe(true);
      expect(finds({ ...said, birthDates: ['1987-11-03'] }, readRow(row).own)).toBe(false);
    },
  );

  test.each([
    { FirstName: 'Amélie', LastName: 'Novák', BirthDate: '19871102' },
    { FirstName: 'Amélie', LastName: 'Novák', DateOfBirth: '1987-11-02' },
    { FirstName: 'Amélie', LastName: 'Novák', DateOfBirth: '19871102' },
    { GuestName: 'Novák, Amélie', BirthDate: '1987-11-02' },
    { FullName: 'Amélie Novák', DOB: 19871102 },
    { GivenName: 'Amélie', Surname: 'Novák', Birthday: '2.11.1987' },
  ])('knows the names of other systems, and the basic form of a date: %j', (columns) => {
    expect(finds({ names: ['Amélie Novák'], birthDates: ['1987-11-02'] }, ownIn(columns))).toBe(true);
  });
});

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
