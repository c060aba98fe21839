/** Finds a row in R2, wherever it is on its way. */

import { gunzipSync } from 'node:zlib';
import { eventsPrefix, landingPrefix, partitionOf } from '../../storage/keys.ts';
import { type AttemptResult, retrying } from '../backoff.ts';
import type { ObjectStore } from '../object-store.ts';

/** Polls for three minutes: a batch closes within one, and its events are published within the next. */
const TRIES = 900;
const PAUSE_MS = 200;

type Row = Readonly<Record<string, unknown>>;

/**
 * Looks for a row in `landing/` and, in case the publisher was faster, in `events/`. Reads each object once.
 *
 * @param received - When the event was accepted. Older objects are skipped.
 * @throws When the signal is aborted, and when the row does not appear.
 */
export async function findRow(
  store: Pick<ObjectStore, 'list' | 'get'>,
  eventId: string,
  received: Date,
  signal: AbortSignal,
) {
  const partition = partitionOf(received);
  // Object names begin with their creation time, as event_ids do.
  const from = eventId.slice(0, TIME_LENGTH);
  const places = [landingPrefix(partition), eventsPrefix(partition)];
  const seen = new Set<string>();
  const attempt = async (): Promise<AttemptResult<{ readonly key: string; readonly row: Row }>> => {
    for (const place of places) {
      for await (const { key } of store.list(place, place + from)) {
        if (seen.has(key)) continue;
        const body = await store.get(key);
        // A landing object is deleted once it is published, possibly after it was listed.
        if (body !== undefined) seen.add(key);
        const row = body && rowIn(body, key, eventId);
        if (row !== undefined) return { value: { key, row } };
      }
    }
    return { why: 'Cannot find the row in R2 after three minutes' };
  };
  const say = (why: string) =>
    `${why}: see whether R2_URL is the bucket of this service, then /readyz and the log lines “batch” and “write_failed”`;
  return retrying(attempt, { attempts: TRIES, everyMs: PAUSE_MS, signal, say });
}

/** The 48-bit time of a UUIDv7 without its last four digits: precise to about a minute. */
const TIME_LENGTH = 8;

function rowIn(body: Uint8Array, key: string, eventId: string): Row | undefined {
  const text = new TextDecoder().decode(key.endsWith('.gz') ? gunzipSync(body) : body);
  const line = text.split('\n').find((candidate) => candidate.startsWith(`{"event_id":"${eventId}"`));
  return line === undefined ? undefined : JSON.parse(line);
}
