import { expect, test } from 'vitest';
import { readEventsOptions } from '../../../src/cli/events/events-options.ts';
import { UsageError } from '../../../src/cli/usage.ts';

test.each([
  [['ls'], { command: 'ls', source: 'events', range: {} }],
  [['cat', '--source', 'both'], { command: 'cat', source: 'both', range: {} }],
  [
    ['pull', 'files', '--from', '2026-07-10', '--to', '2026-07-11T00:30+01:00'],
    {
      command: 'pull',
      folder: 'files',
      format: 'ndjson',
      source: 'events',
      range: { from: new Date('2026-07-10T00:00:00Z'), to: new Date('2026-07-10T23:30:00Z') },
    },
  ],
  [['sql', 'SELECT 1', 'files'], { command: 'sql', query: 'SELECT 1', folder: 'files', source: 'events', range: {} }],
  [
    ['sql', 'SELECT 1', '--keep', 'files'],
    { command: 'sql', query: 'SELECT 1', keep: 'files', source: 'events', range: {} },
  ],
  [
    ['pull', 'files', '--format', 'csv'],
    { command: 'pull', folder: 'files', format: 'csv', source: 'events', range: {} },
  ],
  [['verify'], { command: 'verify', source: 'events', range: {} }],
  [['verify', 'files'], { command: 'verify', folder: 'files', source: 'events', range: {} }],
])('`readEventsOptions()` reads %j', (args, expected) => {
  expect(readEventsOptions(args)).toEqual(expected);
});

test.each([
  [[]],
  [['drop']],
  [['sql']],
  [['pull']],
  [['cat', 'x']],
  [['ls', '--source', 'x']],
  [['ls', '--from', 'x']],
  [['ls', '--from', '1']],
  [['ls', '--to', '2026-02-30']],
  [['ls', '--from', '2026-03-02', '--to', '2026-03-01']],
  [['sql', ' ']],
  [['sql', 'SELECT 1', 'x', 'y']],
  [['sql', 'SELECT 1', 'x', '--keep', 'y']],
  [['pull', 'x', '--keep', 'y']],
  [['pull', 'x', '--format', 'x']],
  [['pull', 'x', '--format', 'parquet', '--source', 'both']],
  [['ls', '--format', 'csv']],
  [['verify', 'x', 'y']],
  [['verify', '--source', 'both']],
])('`readEventsOptions()` refuses %j', (args) => {
  expect(() => readEventsOptions(args)).toThrow(UsageError);
});
