/** What the service notes of itself in the bucket, as tests find it there. */

import type { LastRun } from '../src/storage/last-run.ts';
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
