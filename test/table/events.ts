/** Published parts, and what the table makes of them. */

import { env } from 'cloudflare:workers';
import { gzipSync } from 'node:zlib';
import { v7 } from 'uuid';
import * as v from 'valibot';
import { replacedBy } from '../../src/storage/find-live.ts';
import { eventsKey, logKey, partitionOf, WATERMARK_KEY } from '../../src/storage/keys.ts';
import { type Line, recordIdOf } from '../../src/storage/line.ts';
import { type LogEntry, LogEntrySchema } from '../../src/storage/log-entry.ts';
import { createGuests } from '../../src/table/guests.ts';
import { TABLE_LIMITS } from '../../src/table/limits.ts';
import type { TableTools } from '../../src/table/tools.ts';
import { clockAt, letASecondPass } from '../clock.ts';
import { watermarkOf } from '../records.ts';

/** Publishes lines of one hour as the part of a sequence, which a run names now or at another moment. */
export async function publishPart(
  sequence: number,
  lines: readonly Line[],
  more: Partial<Pick<LogEntry, 'operation' | 'replaces'>> = {},
  namedAt = Date.now(),
  customMetadata: Record<string, string> = {},
): Promise<LogEntry> {
  const ids = lines.map(recordIdOf).sort();
  const times = lines.map((line) => JSON.parse(line).received_at as string).sort();
  const partition = partitionOf(new Date(times[0] ?? ''));
  const key = eventsKey(partition, v7({ msecs: namedAt }));
  const body = gzipSync(lines.join(''));
  const entry = v.parse(LogEntrySchema, {
    sequence,
    committed_at: new Date(namedAt).toISOString(),
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
  await env.BUCKET.put(key, body, { customMetadata });
  await env.BUCKET.put(logKey(sequence), JSON.stringify(entry), { customMetadata: { key } });
  return entry;
}

/** Replaces a part by one of these lines, as an erasure does. */
export async function replacePart(sequence: number, part: LogEntry, lines: readonly Line[]): Promise<LogEntry> {
  const old = await env.BUCKET.head(part.key);
  if (old === null) throw new Error(`${part.key} is not there`);
  const more = { operation: 'replace', replaces: part.key } as const;
  const entry = await publishPart(sequence, lines, more, Date.now(), replacedBy(old));
  await env.BUCKET.delete(part.key);
  return entry;
}

/** Moves the watermark. */
export async function completeThrough(time: string, sequence: number): Promise<void> {
  letASecondPass();
  await env.BUCKET.put(WATERMARK_KEY, JSON.stringify(watermarkOf(time, { log_sequence: sequence })));
}

/** What a run works with at a time. */
export async function toolsAt(now: number, more: Partial<TableTools> = {}): Promise<TableTools> {
  return {
    bucket: env.BUCKET,
    location: 's3://reservation-events/iceberg/events',
    clock: clockAt(now),
    guests: createGuests('kept', undefined),
    limits: TABLE_LIMITS,
    ...more,
  };
}
