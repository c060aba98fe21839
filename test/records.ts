/** What the service notes of itself in the bucket, as tests find it there. */

import type { LastRun } from '../src/storage/last-run.ts';
import { ndjson } from '../src/storage/line.ts';
import type { NewEntry } from '../src/storage/part-log.ts';
import type { Rejection } from '../src/storage/rejection.ts';
import type { Watermark } from '../src/storage/watermark.ts';

const NOON = '2026-07-10T12:00:00.000Z';

/** The record of a run of the publisher that was good and found nothing. */
export function lastRunOf(facts: Partial<LastRun> = {}): LastRun {
  return {
    started_at: NOON,
    ended: 'done',
    duration_ms: 1,
    rows: 0,
    objects: 0,
    last_good_at: facts.started_at ?? NOON,
    unfinished_erasure_since: null,
    readings_without_age: 0,
    without_age_since: null,
    pseudonym_key_check: null,
    version: 'v1',
    ...facts,
  };
}

/** A watermark behind which nothing came. */
export function watermarkOf(complete_through: string, facts: Partial<Watermark> = {}): Watermark {
  return {
    complete_through,
    unrecognised_messages: 0,
    late_events: 0,
    last_late_at: null,
    log_sequence: 1,
    updated_at: complete_through,
    ...facts,
  };
}

/** What the log says of a part with one row, before it has a place in the log. @param name - The name of the part. */
export function entryOf(name: string): NewEntry {
  return {
    operation: 'add',
    key: `events/v1/dt=2026-07-10/hour=09/${name}.ndjson.gz`,
    replaces: null,
    partition: 'dt=2026-07-10/hour=09',
    rows: 1,
    bytes: 100,
    sha256: '0'.repeat(64),
    first_event_id: name,
    last_event_id: name,
    first_received_at: '2026-07-10T09:00:00.000Z',
    last_received_at: '2026-07-10T09:00:00.000Z',
    schema_versions: [1],
  };
}

/** The line of a refused body; bytes are kept as Base64. */
export function rejectionLine(body: string | Buffer, facts: Partial<Rejection> = {}): string {
  return ndjson({
    rejection_id: '019e3b9d-9d90-7c3e-9a54-2b6f0c81d7e5',
    rejected_at: '2026-05-18T15:04:05.776Z',
    sender: 'opera',
    status: 422,
    problem: 'contract',
    reason: 'contract',
    errors: [],
    content_type: null,
    content_encoding: null,
    idempotency_key: null,
    body_fingerprint: '0'.repeat(32),
    truncated: false,
    body_encoding: typeof body === 'string' ? 'text' : 'base64',
    body: typeof body === 'string' ? body : body.toString('base64'),
    ...facts,
  } satisfies Rejection);
}
