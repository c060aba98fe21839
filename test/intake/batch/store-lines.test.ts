import { expect, test } from 'vitest';
import { PACKED_BYTES, packLines } from '../../../src/intake/batch/store-lines.ts';

const [EARLY, LATE] = ['dt=2026-11-28/hour=11', 'dt=2026-11-28/hour=12'];
const lineOf = (bytes: number, char = 'x') => `${char.repeat((bytes - 1) / new TextEncoder().encode(char).length)}\n`;

test.each([
  ['that fit to the byte', [lineOf(PACKED_BYTES - 10), lineOf(10)], [2]],
  ['that are a byte too many', [lineOf(PACKED_BYTES - 10), lineOf(11)], [1, 1]],
  ['of characters that take several bytes', Array.from({ length: 5 }, () => lineOf(21_301, '部')), [2, 2, 1]],
  ['of which one is larger than a message', [lineOf(9), lineOf(PACKED_BYTES + 1), lineOf(9), lineOf(9)], [1, 1, 2]],
  ['of which there are none', [], []],
])('packLines() packs lines %s', (_, lines, counts) => {
  const messages = packLines(lines.map((line, at) => ({ at, line, partition: EARLY })));
  expect(messages.map(({ items }) => items.length)).toEqual(counts);
  expect(messages.flatMap(({ items }) => items.map(({ line }) => line))).toEqual(lines);
});

test('packLines() packs lines of different hours into different messages', () => {
  const messages = packLines([EARLY, EARLY, LATE].map((partition, at) => ({ at, line: 'x\n', partition })));
  expect(messages.map(({ partition, items }) => [partition, items.length])).toEqual([
    [EARLY, 2],
    [LATE, 1],
  ]);
});
