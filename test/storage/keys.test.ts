import { expect, test } from 'vitest';
import { partitionIn, partitionOf } from '../../src/storage/keys.ts';

test.each([
  ['2026-01-02T03:04:05.678Z', 'dt=2026-01-02/hour=03'],
  ['2026-12-31T23:59:59.999Z', 'dt=2026-12-31/hour=23'],
  ['2027-01-01T01:00:00.000+02:00', 'dt=2026-12-31/hour=23'],
])('partitionOf() puts %s into %s', (time, partition) => {
  expect(partitionOf(new Date(time))).toBe(partition);
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
