import * as v from 'valibot';
import { expect, test } from 'vitest';
import { LOG_PREFIX, logKey } from '../../src/storage/keys.ts';
import { type LogEntry, LogEntrySchema } from '../../src/storage/log-entry.ts';
import { entryOf } from '../records.ts';

const ADD: LogEntry = {
  sequence: 1,
  committed_at: '2026-07-10T10:05:00.000Z',
  ...entryOf('019f4b1c-6b80-7000-8000-000000000001'),
  schema_versions: [1, 2],
};
const REPLACES = ADD.key.replace('0001.', '0002.');

test('`logKey()` pads the sequence to 20 digits', () => {
  expect(logKey(12)).toBe(`${LOG_PREFIX}00000000000000000012.json`);
  expect(LOG_PREFIX).toBe('events/v1/_log/');
});

test.each([ADD, { ...ADD, operation: 'replace', replaces: REPLACES }])('`LogEntrySchema` takes %j', (entry) => {
  expect(v.parse(LogEntrySchema, entry)).toEqual(entry);
});

test.each([
  { sequence: 0 },
  { sequence: 1.5 },
  { operation: 'remove' },
  { operation: 'replace' },
  { replaces: REPLACES },
  { partition: 'dt=2026-07-10/hour=10' },
  { key: 'events/v1/dt=2026-07-10/hour=09/../../x.ndjson.gz' },
  { key: `elsewhere/${ADD.key}` },
  { key: ADD.key.replace('hour=09', 'hour=24') },
  { sha256: 'A'.repeat(64) },
  { rows: 0 },
  { first_received_at: '2026-07-10T09:00:00Z' },
])('`LogEntrySchema` refuses %j', (change) => {
  expect(v.is(LogEntrySchema, { ...ADD, ...change })).toBe(false);
});
