/** A folder of published objects as `npm run events -- pull` leaves it, in two states: before and after version 2. */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { logKey, WATERMARK_KEY } from '../../../src/storage/keys.ts';
import { ndjson } from '../../../src/storage/line.ts';
import { sampleRow } from '../../sample-row.ts';

const HOUR = 'dt=2026-05-18/hour=15';
const [PART_1, PART_2, PART_3, PART_4] = ['1', '2', '3', '4'].map(
  (digit) => `events/v1/${HOUR}/019e3b9d-0000-7000-8000-00000000000${digit}.ndjson.gz`,
) as [string, string, string, string];

/** A row with values that are easily read as something else. */
function row(digit: number, version: number) {
  const event = {
    IntegrationId: 'int-1',
    PropertyId: '0042',
    EventType: 'ReservationConfirmed',
    ReservationState: 'Confirmed',
    AssignedResourceNumber: '0304',
    StartUtc: '2026-06-12T13:00:00Z',
    EndUtc: '9999-12-31T23:59:59.999Z',
    ReservationId: `r${digit}`,
    MealPlan: '12:30',
    FirstName: `Guest ${digit}`,
    BirthDate: '1931-11-02',
  };
  const { occurred_at, ...first } = sampleRow(event, `019e3b9d-9d90-7c3e-9a54-2b6f0c81d7e${digit}`);
  if (version === 1) return { ...first, schema_version: 1, warnings: ['start_utc:no_zone'] };
  return { ...first, occurred_at: '2026-05-18T15:04:00.000Z', schema_version: 2, birth_date: '2400-01-01' };
}

/** Writes two parts of version 1. */
export async function publishFirst(folder: string): Promise<void> {
  await part(folder, PART_1, [row(1, 1), row(2, 1)]);
  await part(folder, PART_2, [row(3, 1)]);
  await entry(folder, 1, PART_1, null);
  await entry(folder, 2, PART_2, null);
  await watermark(folder, '2026-05-18T16:00:00.000Z', 2);
}

/** Adds a part of version 2, and replaces the first: the guest of one row is erased, the other row is gone. */
export async function publishSecond(folder: string): Promise<void> {
  await part(folder, PART_3, [row(4, 2), row(5, 2)]);
  await part(folder, PART_4, [{ ...row(1, 1), first_name: null }]);
  await entry(folder, 3, PART_3, null);
  await entry(folder, 4, PART_4, PART_1);
  await rm(join(folder, PART_1));
  await watermark(folder, '2026-05-18T17:00:00.000Z', 4);
}

/** A question about what is loaded, in the SQL that all databases share. */
export const LOADED =
  'SELECT reservation_id, schema_version, first_name, birth_date, meal_plan, property_id, object_key FROM events ORDER BY event_id';

/** What is loaded of the first state. */
export const FIRST = [
  ['r1', 1, 'Guest 1', '1931-11-02', '12:30', '0042', PART_1],
  ['r2', 1, 'Guest 2', '1931-11-02', '12:30', '0042', PART_1],
  ['r3', 1, 'Guest 3', '1931-11-02', '12:30', '0042', PART_2],
];

/** What is loaded of the second. @param farDate - A date of birth after the end of ClickHouse's dates. */
export function second(farDate: string | null): unknown[][] {
  return [
    ['r1', 1, null, '1931-11-02', '12:30', '0042', PART_4],
    ['r3', 1, 'Guest 3', '1931-11-02', '12:30', '0042', PART_2],
    ['r4', 2, 'Guest 4', farDate, '12:30', '0042', PART_3],
    ['r5', 2, 'Guest 5', farDate, '12:30', '0042', PART_3],
  ];
}

/** Questions that only the second state has an answer to, with it. */
export const FACTS: readonly (readonly [string, unknown])[] = [
  ["SELECT COUNT(*) FROM events WHERE occurred_at = '2026-05-18 15:04:00.000'", 2],
  ['SELECT COUNT(*) FROM events WHERE occurred_at IS NULL', 2],
  ["SELECT COUNT(*) FROM events WHERE end_utc = '9999-12-31 23:59:59.999'", 4],
  ['SELECT COUNT(*) FROM event_parts', 4],
  ['SELECT MAX(sequence) FROM event_parts', 4],
  ["SELECT COUNT(*) FROM event_watermarks WHERE complete_through = '2026-05-18 17:00:00.000'", 1],
];

/** Damages the entry of the first part. */
export async function damageFirstEntry(folder: string): Promise<void> {
  await write(folder, logKey(1), 'no JSON');
}

/** Takes the watermark away, as in a folder pulled for a range. */
export async function removeWatermark(folder: string): Promise<void> {
  await rm(join(folder, WATERMARK_KEY));
}

/** Writes a part. */
export async function part(folder: string, key: string, rows: readonly object[]): Promise<void> {
  await write(folder, key, gzipSync(rows.map(ndjson).join('')));
}

/** Writes the log entry of a part. */
export async function entry(folder: string, sequence: number, key: string, replaces: string | null): Promise<void> {
  const operation = replaces === null ? 'add' : 'replace';
  const text = JSON.stringify({ sequence, operation, key, replaces, first_received_at: '2026-05-18T15:04:05.776Z' });
  await write(folder, logKey(sequence), text);
}

/** Writes the watermark. */
export async function watermark(folder: string, complete_through: string, log_sequence: number): Promise<void> {
  const text = JSON.stringify({
    complete_through,
    unrecognised_messages: 0,
    late_events: 0,
    last_late_at: null,
    updated_at: complete_through,
    log_sequence,
  });
  await write(folder, WATERMARK_KEY, text);
}

async function write(folder: string, key: string, body: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, key)), { recursive: true });
  await writeFile(join(folder, key), body);
}
