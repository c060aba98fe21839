/** Published parts and their log, made by hand so that each kind of damage can be made too. */

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { v7 } from 'uuid';
import type { ObjectStore } from '../../../src/cli/object-store.ts';
import { EVENTS_PREFIX, eventsKey, logKey, startOf, WATERMARK_KEY } from '../../../src/storage/keys.ts';
import { toLine } from '../../../src/storage/line.ts';
import type { LogEntry } from '../../../src/storage/log-entry.ts';
import { SMALL_EVENT } from '../../sample.ts';
import { sampleRow } from '../../sample-row.ts';

/** The partitions of nine and of ten o'clock. */
export const NINE = 'dt=2026-03-01/hour=09';
export const TEN = 'dt=2026-03-01/hour=10';

/** Nothing interrupts the work. */
export const NEVER = new AbortController().signal;

/** A part and its entry, not written yet. */
export interface MadePart {
  readonly entry: LogEntry;
  readonly body: Buffer<ArrayBuffer>;
  readonly eventIds: readonly string[];
}

/** So many new event_ids of an hour, in the order of time. */
export function idsIn(partition: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => v7({ msecs: startOf(partition) + at })).sort();
}

/** Makes a part. */
export function makePart(
  sequence: number,
  partition: string,
  eventIds: readonly string[],
  { replaces = null }: { replaces?: string | null } = {},
): MadePart {
  const rows = eventIds.map((eventId) => sampleRow(SMALL_EVENT, eventId));
  const body = gzipSync(rows.map(toLine).join(''));
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) throw new Error('Cannot make a part without rows');
  const entry: LogEntry = {
    sequence,
    committed_at: '2026-03-01T12:00:00.000Z',
    operation: replaces === null ? 'add' : 'replace',
    key: eventsKey(partition, v7()),
    replaces,
    partition,
    rows: rows.length,
    bytes: body.length,
    sha256: createHash('sha256').update(body).digest('hex'),
    first_event_id: first.event_id,
    last_event_id: last.event_id,
    first_received_at: first.received_at,
    last_received_at: last.received_at,
    schema_versions: [...new Set(rows.map((row) => row.schema_version))],
  };
  return { entry, body, eventIds };
}

/** Writes parts and their entries. */
export async function publishParts(store: ObjectStore, parts: readonly Pick<MadePart, 'entry' | 'body'>[]) {
  await Promise.all(
    parts.flatMap(({ entry, body }) => [
      store.create(entry.key, body),
      store.create(logKey(entry.sequence), JSON.stringify(entry)),
    ]),
  );
}

/** Writes the watermark anew. */
export async function writeWatermark(store: ObjectStore, completeThrough: string, logSequence: number) {
  const watermark = { complete_through: completeThrough, unrecognised_messages: 0, late_events: 0, last_late_at: null };
  await store.delete(WATERMARK_KEY);
  await store.create(
    WATERMARK_KEY,
    JSON.stringify({ ...watermark, updated_at: completeThrough, log_sequence: logSequence }),
  );
}

/** Deletes all that is published. */
export async function clearPublished(store: ObjectStore) {
  const listed = await Array.fromAsync(store.list(EVENTS_PREFIX));
  await Promise.all(listed.map(({ key }) => store.delete(key)));
}
