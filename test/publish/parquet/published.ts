/** Published parts with their log, as tests of columnar objects need them, and how they read what was written. */

import { env } from 'cloudflare:workers';
import * as v from 'valibot';
import { uuidv7 } from '../../../src/storage/event-id.ts';
import { eventsKey, logKey, PARQUET_LOG_PREFIX, WATERMARK_KEY } from '../../../src/storage/keys.ts';
import { eventIdOf, type Line } from '../../../src/storage/line.ts';
import { type LogEntry, LogEntrySchema } from '../../../src/storage/log-entry.ts';
import { type ParquetEntry, ParquetEntrySchema } from '../../../src/storage/parquet-entry.ts';
import { letASecondPass } from '../../clock.ts';
import { keysUnder } from '../landing.ts';

/** Publishes lines of one hour as the part of a sequence. */
export async function publishPart(
  sequence: number,
  partition: string,
  lines: readonly Line[],
  more: Partial<Pick<LogEntry, 'committed_at' | 'operation' | 'replaces'>> = {},
): Promise<LogEntry> {
  const key = eventsKey(partition, uuidv7());
  const body = await gzip(lines.join(''));
  const ids = lines.map(eventIdOf).sort();
  const times = lines.map((line) => JSON.parse(line).received_at as string).sort();
  const entry = v.parse(LogEntrySchema, {
    sequence,
    committed_at: '2026-07-11T00:00:00.000Z',
    operation: 'add',
    key,
    replaces: null,
    partition,
    rows: lines.length,
    bytes: body.byteLength,
    sha256: new Uint8Array(await crypto.subtle.digest('SHA-256', body)).toHex(),
    first_event_id: ids[0],
    last_event_id: ids.at(-1),
    first_received_at: times[0],
    last_received_at: times.at(-1),
    schema_versions: [1],
    ...more,
  });
  await env.BUCKET.put(key, body);
  await env.BUCKET.put(logKey(sequence), JSON.stringify(entry));
  return entry;
}

/** Moves the watermark. */
export async function completeThrough(time: string): Promise<void> {
  letASecondPass();
  const watermark = { complete_through: time, dead_letters: 0, updated_at: time };
  await env.BUCKET.put(WATERMARK_KEY, JSON.stringify(watermark));
}

/** The log of columnar objects, in the order of its keys. */
export async function parquetLog(): Promise<ParquetEntry[]> {
  const keys = await keysUnder(PARQUET_LOG_PREFIX);
  return Promise.all(keys.map(async (key) => v.parse(ParquetEntrySchema, await (await env.BUCKET.get(key))?.json())));
}

/** The columnar objects that are in the bucket. */
export function parquetObjects(): Promise<string[]> {
  return keysUnder('parquet/v1/dt=');
}

async function gzip(text: string): Promise<ArrayBuffer> {
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
}
