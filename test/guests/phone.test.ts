import { describe, expect, test } from 'vitest';
import { wantedIdentifiers } from '../../src/guests/selection.ts';
import { finds, NOBODY, ownIn } from './selections.ts';

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
