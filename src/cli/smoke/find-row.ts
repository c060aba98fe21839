/** Looking for one row in R2, wherever it is on its way. */

import { gunzipSync } from 'node:zlib';
import { eventsPrefix, landingPrefix, partitionOf } from '../../storage/keys.ts';
import { type Attempt, retrying } from '../backoff.ts';
import type { ObjectStore } from '../object-store.ts';

/** How often to look, for three minutes: a batch closes within one, and published files follow in the next. */
const TRIES = 900;
const PAUSE_MS = 200;

export interface FoundRow {
  readonly key: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/**
 * Looks for a row in `landing/` and, since the publisher may have been quicker, in `events/`. Each object is read once.
 *
 * @param received - When the event was accepted. Older objects are passed over.
 * @throws When the signal is aborted, and when the row does not come.
 */
export async function findRow(
  store: Pick<ObjectStore, 'list' | 'get'>,
  eventId: string,
  received: Date,
  signal: AbortSignal,
): Promise<FoundRow> {
  const partition = partitionOf(received);
  // Names of objects begin with the time at which they were made, as those of events do.
  const from = eventId.slice(0, TIME_LENGTH);
  const places = [landingPrefix(partition), eventsPrefix(partition)];
  const seen = new Set<string>();
  const attempt = async (): Promise<Attempt<FoundRow>> => {
    for (const place of places) {
      for await (const { key } of store.list(place, place + from)) {
        if (seen.has(key)) continue;
        const body = await store.get(key);
        // Landing objects go when they have been published, perhaps between the listing and this.
        if (body !== undefined) seen.add(key);
        const row = body && rowIn(body, key, eventId);
        if (row !== undefined) return { value: { key, row } };
      }
    }
    return { why: 'Cannot find the row in R2 after three minutes' };
  };
  const fail = (why: string) =>
    new Error(
      `${why}: see whether R2_URL is the bucket of this service, then /readyz and the log lines “batch” and “write_failed”`,
    );
  return retrying(attempt, { attempts: TRIES, everyMs: PAUSE_MS, signal, fail });
}

/** The first 48 bits of a UUIDv7, less the last four digits: within a minute or so of the same time. */
const TIME_LENGTH = 8;

function rowIn(body: Uint8Array, key: string, eventId: string): FoundRow['row'] | undefined {
  const text = new TextDecoder().decode(key.endsWith('.gz') ? gunzipSync(body) : body);
  const line = text.split('\n').find((candidate) => candidate.startsWith(`{"event_id":"${eventId}"`));
  return line === undefined ? undefined : JSON.parse(line);
}
