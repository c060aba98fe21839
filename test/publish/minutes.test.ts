import { describe, expect, test } from 'vitest';
import { Minutes } from '../../src/publish/minutes.ts';

const HOUR = Date.parse('2026-07-10T09:00:00Z');

describe('Minutes', () => {
  test.each([
    ['the first millisecond', 0, true],
    ['the last millisecond', 3_599_999, true],
    ['a millisecond before', -1, false],
    ['the next hour', 3_600_000, false],
  ])('knows whether %s is of the hour', (_, offset, expected) => {
    expect(new Minutes().add(HOUR + offset, HOUR)).toBe(expected);
  });

  test('writes a character for each minute', () => {
    const minutes = new Minutes();
    minutes.add(HOUR, HOUR);
    minutes.add(HOUR + 3_599_999, HOUR);
    expect(String(minutes)).toBe(`1${'0'.repeat(58)}1`);
  });

  test.each([
    ['a part of the same minute', `${'0'.repeat(5)}1${'0'.repeat(54)}`, true],
    ['a part of other minutes', `${'1'.repeat(5)}0${'1'.repeat(54)}`, false],
    ['a part that does not say', undefined, true],
    ['a part that says something else', '1', true],
  ])('finds out whether an event may be in %s', (_, written, expected) => {
    const minutes = new Minutes();
    minutes.add(HOUR + 5 * 60_000, HOUR);
    expect(minutes.mayShare(written)).toBe(expected);
  });
});
