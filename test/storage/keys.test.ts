import { expect, test } from 'vitest';
import { objectKey, partitionOf } from '../../src/storage/keys.ts';

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
