import { expect, test } from 'vitest';
import { ICEBERG_SCHEMA, SCHEMA_ID } from '../../src/storage/iceberg/schema.ts';
import { TABLE_LIMITS } from '../../src/table/limits.ts';
import { newTable, nextMetadata } from '../../src/table/metadata.ts';

const NOW = Date.parse('2026-07-10T12:00:00.000Z');
const NONE = { snapshot: undefined, properties: {} };

test('`nextMetadata()` adds the schema of a later version of the row, and keeps those before', () => {
  const before = { 'schema-id': SCHEMA_ID - 1, type: 'struct', fields: ICEBERG_SCHEMA.fields.slice(0, -2) };
  const table = {
    version: 7,
    metadata: {
      ...newTable('s3://bucket/iceberg/events', 'kept', NOW),
      schemas: [before],
      'current-schema-id': SCHEMA_ID - 1,
      'last-column-id': 30,
    },
  };
  const next = nextMetadata(table, NONE, NOW, TABLE_LIMITS);
  expect(next).toMatchObject({ schemas: [before, ICEBERG_SCHEMA], 'current-schema-id': SCHEMA_ID });
  expect(next['last-column-id']).toBeGreaterThan(30);
  // Time never stands still from one version to the next.
  expect(next['last-updated-ms']).toBe(NOW + 1);
  expect(nextMetadata({ version: 8, metadata: next }, NONE, NOW, TABLE_LIMITS).schemas).toEqual(next.schemas);
});

test('`nextMetadata()` gives no identifier of a later version of the row away after a rollback', () => {
  const metadata = { ...newTable('s3://bucket/iceberg/events', 'kept', NOW), 'last-column-id': 1_000 };
  expect(nextMetadata({ version: 7, metadata }, NONE, NOW, TABLE_LIMITS)['last-column-id']).toBe(1_000);
});
