import { expect, test } from 'vitest';
import { describeOptions, readCommandLine, readTime, readUrl, UsageError } from '../../src/cli/usage.ts';

const OPTIONS = {
  rate: { value: 'N', about: 'so many', default: '20' },
  url: { value: 'URL', about: 'where' },
  key: { value: 'KEY', about: 'which', multiple: true },
  yes: { about: 'does it' },
} as const;

test.each([
  [[], { rate: '20', key: [], yes: false }, []],
  [['a', '--rate', '5', '--yes', '--key=1', '--key', '2', 'b'], { rate: '5', key: ['1', '2'], yes: true }, ['a', 'b']],
])('readCommandLine() reads %j', (args, values, words) => {
  const read = readCommandLine(args, OPTIONS, true);
  expect(read.values).toMatchObject(values);
  expect(read.words).toEqual(words);
});

test.each([[['--unknown']], [['--rate']], [['word']], [['--no-yes']]])('readCommandLine() refuses %j', (args) => {
  expect(() => readCommandLine(args, OPTIONS)).toThrow(UsageError);
});

test.each([['--rate='], ['--key', '2', '--key', '']])('readCommandLine() refuses an empty value in %j', (...args) => {
  expect(() => readCommandLine(args, OPTIONS)).toThrow(/Cannot use --(?:rate|key): its value is empty/);
});

test('an option of some choices takes one of them, and names them in the help', () => {
  const options = { source: { value: ['events', 'both'], about: 'what', default: 'events' } } as const;
  expect(describeOptions(options)).toBe('  --source events|both  what (events)');
  expect(readCommandLine([], options).values).toEqual({ source: 'events' });
  expect(readCommandLine(['--source=both'], options).values).toEqual({ source: 'both' });
  expect(() => readCommandLine(['--source', 'x'], options)).toThrow('Cannot use --source x: give one of events, both');
});

test('an option is read as it says, also by default, and is undefined where it is not given', () => {
  const read = (text: string, option: string) => `${option} ${text}`;
  const options = { a: { value: 'A', about: '', read }, b: { value: 'B', about: '', read, default: 'x' } } as const;
  expect(readCommandLine([], options).values).toEqual({ a: undefined, b: '--b x' });
  expect(readCommandLine(['--a', '1', '--b', '2'], options).values).toEqual({ a: '--a 1', b: '--b 2' });
});

test('describeOptions() has a line for each option, in columns', () => {
  expect(describeOptions(OPTIONS)).toBe(
    ['  --rate N   so many (20)', '  --url URL  where', '  --key KEY  which', '  --yes      does it'].join('\n'),
  );
});

test('an option of some commands names them in the help, and is refused with another', () => {
  const options = { keep: { value: 'FOLDER', about: 'keeps', for: ['sql', 'pull'] } } as const;
  expect(describeOptions(options)).toBe('  --keep FOLDER  sql, pull: keeps');
  expect(readCommandLine(['pull', '--keep=x'], options, true).values).toEqual({ keep: 'x' });
  for (const args of [['list', '--keep', 'x'], ['--keep=x']]) {
    expect(() => readCommandLine(args, options, true)).toThrow('Cannot use --keep: it is for sql and pull alone');
  }
});

test.each([
  ['https://intake.example', 'https://intake.example/api/1.1/wf/reservation'],
  ['https://intake.example/?check', 'https://intake.example/api/1.1/wf/reservation?check'],
  ['http://localhost:8787/elsewhere', 'http://localhost:8787/elsewhere'],
])('readUrl() reads %s as the endpoint %s', (text, endpoint) => {
  expect(readUrl(text).href).toBe(endpoint);
});

test.each([
  'intake.example/api',
  'ftp://intake.example',
  'https://name@intake.example',
  'https://:password@intake.example',
  '',
])('readUrl() refuses %j', (text) => {
  expect(() => readUrl(text)).toThrow('Cannot use --url: give the whole address');
});

test.each([
  ['2026-07-10T09:00', '2026-07-10T09:00:00.000Z'],
  ['2026-07-10 09:00', '2026-07-10T09:00:00.000Z'],
  ['2026-07-10T09:00Z', '2026-07-10T09:00:00.000Z'],
  ['2026-07-10T09:00+02:00', '2026-07-10T07:00:00.000Z'],
  ['2026-07-10', '2026-07-10T00:00:00.000Z'],
])('readTime() reads %s as %s', (text, expected) => {
  expect(readTime(text, '--from').toISOString()).toBe(expected);
});

test.each(['1', '2026', '2026-02-30', '2026-07-10T24:00Z', '2026-07-10T09', '07/10/2026', 'now', ''])(
  'readTime() refuses %j',
  (text) => {
    expect(() => readTime(text, '--from')).toThrow('Cannot use --from: ');
  },
);
