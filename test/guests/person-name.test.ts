import { describe, expect, test } from 'vitest';
import { readRow } from '../../src/guests/row-identifiers.ts';
import { finds, ownIn, rowOf } from './selections.ts';

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
