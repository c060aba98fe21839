import { describe, expect, test } from 'vitest';
import { readGuestColumns, readKeepDays } from '../../src/guests/settings.ts';

describe('readGuestColumns()', () => {
  test.each(['kept', 'left_out', 'pseudonyms'])('takes "%s"', (columns) => {
    expect(readGuestColumns({ TABLE_GUEST_COLUMNS: columns })).toBe(columns);
  });

  test('keeps guests without the setting', () => {
    expect(readGuestColumns({})).toBe('kept');
  });

  test.each(['', 'Kept', 'hashed'])('says what is wrong with "%s"', (text) => {
    expect(() => readGuestColumns({ TABLE_GUEST_COLUMNS: text })).toThrow(
      'TABLE_GUEST_COLUMNS has to be one of "kept", "left_out", "pseudonyms"',
    );
  });
});

describe('readKeepDays()', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['1', 1],
    ['1095', 1095],
  ])('takes %j', (text, days) => {
    expect(readKeepDays(text === undefined ? {} : { KEEP_GUEST_COLUMNS_DAYS: text })).toBe(days);
  });

  test.each(['0', '-1', '3 years', '1.5', '100000'])('says what is wrong with "%s"', (text) => {
    expect(() => readKeepDays({ KEEP_GUEST_COLUMNS_DAYS: text })).toThrow(
      'KEEP_GUEST_COLUMNS_DAYS has to be a whole number of days from 1 to 99999',
    );
  });
});
