import { expect, test } from 'vitest';
import { Minutes, mayShare } from '../../src/publish/minutes.ts';
import { RowFacts } from '../../src/publish/part-facts.ts';
import type { EventIdWords } from '../../src/storage/line-bytes.ts';

const PARTITION = 'dt=2026-07-10/hour=09';
const HOUR = Date.parse('2026-07-10T09:00:00Z');

test.each([
  ['the first millisecond', 0, true],
  ['the last millisecond', 3_599_999, true],
  ['a millisecond before', -1, false],
  ['the next hour', 3_600_000, false],
])('`isOfHour()` knows whether %s is of the hour', (_, offset, expected) => {
  const time = HOUR + offset;
  const id = Uint32Array.of(Math.floor(time / 0x1_0000), (time % 0x1_0000) * 0x1_0000 + 0x7000, 0, 0) as EventIdWords;
  expect(new RowFacts(PARTITION).isOfHour(id)).toBe(expected);
});

test('`Minutes` are written with a character for each', () => {
  const minutes = new Minutes();
  minutes.add(0);
  minutes.add(3_599_999);
  expect(String(minutes)).toBe(`1${'0'.repeat(58)}1`);
});

test.each([
  ['a part of the same minute', `${'0'.repeat(5)}1${'0'.repeat(54)}`, true],
  ['a part of other minutes', `${'1'.repeat(5)}0${'1'.repeat(54)}`, false],
  ['a part that does not say', undefined, true],
  ['a part that says something else', '1', true],
])('`mayShare()` finds out whether an event may be in %s', (_, others, expected) => {
  const minutes = new Minutes();
  minutes.add(5 * 60_000);
  expect(mayShare(String(minutes), others)).toBe(expected);
});
