import { expect, test } from 'vitest';
import { readEventsOptions } from '../../../src/cli/events/events-options.ts';
import { UsageError } from '../../../src/cli/usage.ts';

test.each([
  [['list'], { command: 'list', source: 'events', range: {} }],
  [['show', '--source', 'both'], { command: 'show', source: 'both', range: {} }],
  [
    ['pull', 'files', '--from', '2026-07-10', '--to', '2026-07-11T00:30+01:00'],
    {
      command: 'pull',
      folder: 'files',
      range: { from: new Date('2026-07-10T00:00:00Z'), to: new Date('2026-07-10T23:30:00Z') },
    },
  ],
  [['sql', 'SELECT 1', 'files'], { command: 'sql', query: 'SELECT 1', folder: 'files', fresh: false, range: {} }],
  [
    ['sql', 'SELECT 1', '--keep', 'files', '--fresh'],
    { command: 'sql', query: 'SELECT 1', keep: 'files', fresh: true, range: {} },
  ],
  [['verify'], { command: 'verify', range: {} }],
  [['verify', 'files'], { command: 'verify', folder: 'files', range: {} }],
])('`readEventsOptions()` reads %j', (args, expected) => {
  expect(readEventsOptions(args)).toEqual(expected);
});

test.each([
  [[]],
  [['drop']],
  [['sql']],
  [['pull']],
  [['pull', '']],
  [['show', 'x']],
  [['list', '--source', 'x']],
  [['list', '--from', 'x']],
  [['list', '--from', '1']],
  [['list', '--to', '2026-02-30']],
  [['list', '--from', '2026-03-02', '--to', '2026-03-01']],
  [['sql', ' ']],
  [['sql', 'SELECT 1', 'x', 'y']],
  [['sql', 'SELECT 1', 'x', '--keep', 'y']],
  [['pull', 'x', '--keep', 'y']],
  [['sql', 'SELECT 1', 'x', '--fresh']],
  [['list', '--fresh']],
  [['pull', 'x', '--source', 'both']],
  [['verify', 'x', 'y']],
  [['verify', '--source', 'both']],
])('`readEventsOptions()` refuses %j', (args) => {
  expect(() => readEventsOptions(args)).toThrow(UsageError);
});
