import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  type ErasureRecord,
  ErasureRecordSchema,
  type ErasureRequest,
  ErasureRequestSchema,
} from '../../src/storage/erasure.ts';

const ID = '019f4b3b-6d00-7000-8000-000000000000';
const REQUEST: ErasureRequest = {
  erasure_id: ID,
  requested_at: '2026-07-10T10:00:00.000Z',
  received_through: '2026-07-10T10:00:00.000Z',
  log_through: 0,
  key_check: '0'.repeat(32),
  digests: ['1'.repeat(32)],
  parts: [{ key: `events/v1/dt=2026-07-10/hour=09/${ID}.ndjson.gz`, event_ids: [ID], named_in: [] }],
};

describe('ErasureRequestSchema', () => {
  test('takes a request', () => {
    expect(v.parse(ErasureRequestSchema, REQUEST)).toEqual(REQUEST);
  });

  test.each([
    ['no digest', { digests: [] }],
    ['a value in place of a digest', { digests: ['email:john@example.com'] }],
    ['a part that is none', { parts: [{ ...REQUEST.parts[0], key: 'events/v1/_watermark.json' }] }],
    ['a part without rows', { parts: [{ ...REQUEST.parts[0], event_ids: [] }] }],
  ])('takes none with %s', (_what, changed) => {
    expect(v.safeParse(ErasureRequestSchema, { ...REQUEST, ...changed }).success).toBe(false);
  });
});

const RECORD: ErasureRecord = {
  erasure_id: ID,
  requested_at: '2026-07-10T10:00:00.000Z',
  received_through: '2026-07-10T10:00:00.000Z',
  stage: 'parts',
  done: 0,
  updated_at: '2026-07-10T10:01:00.000Z',
  finished_at: null,
  parts: [],
  caught: [],
  missing: [],
};

describe('ErasureRecordSchema', () => {
  test('takes a record, and none of an unknown stage', () => {
    expect(v.parse(ErasureRecordSchema, RECORD)).toEqual(RECORD);
    expect(v.safeParse(ErasureRecordSchema, { ...RECORD, stage: 'done' }).success).toBe(false);
  });
});
