import { expect, test } from 'vitest';
import { parseCommandLine, readTime, readUrl, UsageError } from '../../src/cli/usage.ts';

test('parseCommandLine() reads options, words and flags that are switched off', () => {
  const options = { rate: { type: 'string' }, dry: { type: 'boolean', default: true } } as const;
  const { values, positionals } = parseCommandLine({
    args: ['a', '--rate', '5', '--no-dry', 'b'],
    options,
    allowPositionals: true,
    allowNegative: true,
  });
  expect({ ...values, positionals }).toEqual({ rate: '5', dry: false, positionals: ['a', 'b'] });
});

test.each([[['--unknown']], [['--rate']]])('parseCommandLine() refuses %j', (args) => {
  expect(() => parseCommandLine({ args, options: { rate: { type: 'string' } } })).toThrow(UsageError);
});

test.each(['intake.example/api', 'ftp://intake.example', ''])('readUrl() refuses %j', (text) => {
  expect(() => readUrl('--url', text)).toThrow('Cannot use --url: give the whole address');
});

test.each([
  ['2026-07-10T09:00', '2026-07-10T09:00:00.000Z'],
  ['2026-07-10 09:00', '2026-07-10T09:00:00.000Z'],
  ['2026-07-10T09:00Z', '2026-07-10T09:00:00.000Z'],
  ['2026-07-10T09:00+02:00', '2026-07-10T07:00:00.000Z'],
  ['2026-07-10', '2026-07-10T00:00:00.000Z'],
])('readTime() reads %s as %s', (text, expected) => {
  expect(readTime('--from', text).toISOString()).toBe(expected);
});

test.each(['1', '2026', '2026-02-30', '2026-07-10T24:00Z', '2026-07-10T09', '07/10/2026', 'now', ''])(
  'readTime() refuses %j',
  (text) => {
    expect(() => readTime('--from', text)).toThrow('Cannot use --from: ');
  },
);
