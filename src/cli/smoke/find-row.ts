/** Looking for one row in R2, wherever it is on its way. */

import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { eventsPrefix, landingPrefix, partitionOf } from '../../storage/keys.ts';
import type { ObjectStore } from '../object-store.ts';

/** How long to look, in milliseconds: a batch closes within a minute, and published files follow in the next. */
const PATIENCE_MS = 180_000;
const PAUSE_MS = 200;

export interface FoundRow {
  readonly key: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/**
 * Looks for a row in `landing/` and, since the publisher may have been quicker, in `events/`. Each object is read once.
 *
 * @param received - When the event was accepted. Older objects are passed over.
 * @throws When the signal is aborted.
 */
export async function findRow(
  store: Pick<ObjectStore, 'list' | 'get'>,
  eventId: string,
  received: Date,
  signal: AbortSignal,
): Promise<FoundRow | undefined> {
  const partition = partitionOf(received);
  // Names of objects begin with the time at which they were made, as those of events do.
  const from = eventId.slice(0, TIME_LENGTH);
  const places = [landingPrefix(partition), eventsPrefix(partition)];
  const seen = new Set<string>();
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    for (const place of places) {
      for await (const { key } of store.list(place, place + from)) {
        if (seen.has(key)) continue;
        const body = await store.get(key);
        // Landing objects go when they have been published, perhaps between the listing and this.
        if (body !== undefined) seen.add(key);
        const row = body && rowIn(body, key, eventId);
        if (row !== undefined) return { key, row };
      }
    }
    await sleep(PAUSE_MS, undefined, { signal });
  }
  return undefined;
}

/** The first 48 bits of a UUIDv7, less the last four digits: within a minute or so of the same time. */
const TIME_LENGTH = 8;

function rowIn(body: Uint8Array, key: string, eventId: string): FoundRow['row'] | undefined {
  const text = new TextDecoder().decode(key.endsWith('.gz') ? gunzipSync(body) : body);
  const line = text.split('\n').find((candidate) => candidate.startsWith(`{"event_id":"${eventId}"`));
  return line === undefined ? undefined : JSON.parse(line);
}
