import { expect, test } from 'vitest';
import { eventsKey, objectKey, partitionIn, partitionOf, setAsideKey, startOf } from '../../src/storage/keys.ts';

test.each([
  ['2026-01-02T03:04:05.678Z', 'dt=2026-01-02/hour=03'],
  ['2026-12-31T23:59:59.999Z', 'dt=2026-12-31/hour=23'],
  ['2027-01-01T01:00:00.000+02:00', 'dt=2026-12-31/hour=23'],
])('partitionOf() puts %s into %s', (time, partition) => {
  expect(partitionOf(new Date(time))).toBe(partition);
});

test('objectKey() puts an object into its partition', () => {
  expect(objectKey('landing', 'dt=2026-01-02/hour=03', '01a21ef9')).toBe(
    'landing/dt=2026-01-02/hour=03/01a21ef9.ndjson',
  );
});

test('`eventsKey()` puts a part below its hour', () => {
  expect(eventsKey('dt=2026-07-10/hour=09', 'name')).toBe('events/v1/dt=2026-07-10/hour=09/name.ndjson.gz');
});

test('`setAsideKey()` changes the prefix and nothing else', () => {
  expect(setAsideKey('landing/dt=2026-07-10/hour=09/landing.ndjson')).toBe(
    'unreadable/dt=2026-07-10/hour=09/landing.ndjson',
  );
});

test('`startOf()` is the first millisecond of an hour', () => {
  expect(startOf('dt=2026-07-10/hour=09')).toBe(Date.parse('2026-07-10T09:00:00.000Z'));
});

test.each([
  ['landing/dt=2026-07-10/hour=09/a.ndjson', 'dt=2026-07-10/hour=09'],
  ['events/v1/dt=2026-07-10/hour=23/a.ndjson.gz', 'dt=2026-07-10/hour=23'],
  ['events/v1/_watermark.json', undefined],
  ['landing/dt=2026-07-10/a.ndjson', undefined],
  ['landing/dt=2026-13-10/hour=09/a.ndjson', undefined],
  ['landing/dt=2026-07-10/hour=77/a.ndjson', undefined],
  ['landing/dt=2026-07-10/hour=24/a.ndjson', undefined],
  ['landing/dt=2026-02-30/hour=09/a.ndjson', undefined],
  ['landing/dt=2027-02-29/hour=09/a.ndjson', undefined],
  ['landing/dt=2028-02-29/hour=09/a.ndjson', 'dt=2028-02-29/hour=09'],
])('`partitionIn()` of %s is %s', (key, expected) => {
  expect(partitionIn(key)).toBe(expected);
});
