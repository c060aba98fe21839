import { describe, expect, test } from 'vitest';
import { wholeEmail } from '../../src/guests/email.ts';
import { finds, inRow, ownIn } from './selections.ts';

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
