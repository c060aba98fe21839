import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  type ErasureRecord,
  ErasureRecordSchema,
  type ErasureRequest,
  ErasureRequestSchema,
} from '../../src/storage/erasure.ts';
import { ERASURE_RECORDS, ERASURE_REQUESTS, erasureRecordKey, erasureRequestKey } from '../../src/storage/keys.ts';

const ID = '019f4b3b-6d00-7000-8000-000000000000';
const REQUEST: ErasureRequest = {
  erasure_id: ID,
  requested_at: '2026-07-10T10:00:00.000Z',
  received_through: '2026-07-10T10:00:00.000Z',
  searched_from: '2026-07-10T09:55:00.000Z',
  log_through: 0,
  key_check: '0'.repeat(32),
  digests: ['1'.repeat(32)],
  parts: [{ key: `events/v1/dt=2026-07-10/hour=09/${ID}.ndjson.gz`, event_ids: [ID] }],
  objects: [{ key: `rejected/dt=2026-07-10/hour=09/${ID}.ndjson`, lines: [0] }],
};

describe('ErasureRequestSchema', () => {
  test('takes a request', () => {
    expect(v.parse(ErasureRequestSchema, REQUEST)).toEqual(REQUEST);
  });

  test.each([
    ['no digest', { digests: [] }],
    ['a value in place of a digest', { digests: ['email:john@example.com'] }],
    ['a part that is none', { parts: [{ key: 'events/v1/_watermark.json', event_ids: [ID] }] }],
    ['a part without rows', { parts: [{ ...REQUEST.parts[0], event_ids: [] }] }],
    ['an object of which nothing is ever removed', { objects: [{ key: 'publish/lease.json', lines: [0] }] }],
    ['an object without lines', { objects: [{ ...REQUEST.objects[0], lines: [] }] }],
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
  searched: null,
  updated_at: '2026-07-10T10:01:00.000Z',
  finished_at: null,
  parts: [],
  objects: [],
  caught: [],
  missing: [],
};

describe('ErasureRecordSchema', () => {
  test('takes a record, and none of an unknown stage', () => {
    expect(v.parse(ErasureRecordSchema, RECORD)).toEqual(RECORD);
    expect(v.safeParse(ErasureRecordSchema, { ...RECORD, stage: 'done' }).success).toBe(false);
  });
});

describe('erasureRequestKey(), erasureRecordKey()', () => {
  test('lie where requests and records are listed', () => {
    expect(erasureRequestKey(ID)).toBe(`${ERASURE_REQUESTS}${ID}.json`);
    expect(erasureRecordKey(ID)).toBe(`${ERASURE_RECORDS}${ID}.json`);
  });
});
