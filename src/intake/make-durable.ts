/** Stores a line durably, which only a confirmation proves: on the queue, and in R2 when the queue is slow or fails. */

import { withTimeout } from '../http/with-timeout.ts';
import { fail, ok, type Result } from '../result.ts';
import { createObject, type ObjectCreator } from '../storage/create-object.ts';
import { isLongerThan, linesOfMessage } from '../storage/line.ts';
import { logError } from '../telemetry/log.ts';
import { CONFIRM_TIMEOUT_MS, MAX_LINE_BYTES, QUEUE_TIMEOUT_MS } from './limits.ts';
import type { Refusal } from './refusal.ts';

/** The part of `Queue` that is used here. */
interface LineQueue {
  send(line: string, options: { readonly contentType: 'text' }): Promise<unknown>;
}

/** The part of `ExecutionContext` that lets a store finish after the answer. */
export interface Background {
  waitUntil(promise: Promise<unknown>): void;
}

export interface Stores {
  readonly queue: LineQueue;
  readonly bucket: ObjectCreator;
  readonly background: Background;
}

export type StoredIn = 'queue' | 'r2';

/**
 * Sends a line to the queue, or several lines as one message. When the queue refuses the message, or has not confirmed
 * it after {@link QUEUE_TIMEOUT_MS}, the message is also written to R2 as an object. The first confirmation counts.
 * After {@link CONFIRM_TIMEOUT_MS} without one, the attempt has failed.
 *
 * A store that confirms later finishes in the background: a line that is then stored twice is one event by its
 * event_id. If the sender was told that nothing was stored, the event is stored once more when the sender retries.
 *
 * @param keyOf - Creates the key of the R2 object, if one is needed. Nothing else may ever use the key.
 */
export async function makeDurable(
  message: string,
  keyOf: () => string,
  { queue, bucket, background }: Stores,
): Promise<Result<StoredIn, Refusal>> {
  const started = Date.now();
  // A refused body can exceed the size of a message. The queue is skipped then.
  const queued = isLongerThan(message, MAX_LINE_BYTES)
    ? Promise.resolve(REFUSED)
    : confirm('queue', () => queue.send(message, TEXT));
  // Keeps the request alive when the client disconnects before the answer.
  background.waitUntil(queued);
  const inTime = await withTimeout(queued, QUEUE_TIMEOUT_MS);
  if (inTime?.ok) return inTime;

  const written = confirm('r2', () => createObject(bucket, keyOf(), linesOfMessage(message)));
  background.waitUntil(written);
  // The first confirmation. A store that refuses leaves the result to the other.
  const first = Promise.race([
    queued.then((confirmation) => (confirmation.ok ? confirmation : written)),
    written.then((confirmation) => (confirmation.ok ? confirmation : queued)),
  ]);
  return (await withTimeout(first, started + CONFIRM_TIMEOUT_MS - Date.now())) ?? fail({ reason: 'stores_timed_out' });
}

/** Without it, the platform would send a structured clone of the line. */
const TEXT = { contentType: 'text' } as const;

const REFUSED = fail({ reason: 'stores_refused' } as const);

/** Calls a store. Does not throw, so that a store that fails after the answer does no harm. */
function confirm(storedIn: StoredIn, store: () => Promise<unknown>): Promise<Result<StoredIn, Refusal>> {
  return Promise.try(store).then(
    () => ok(storedIn),
    (error) => {
      logError('store_refused', error, { store: storedIn });
      return REFUSED;
    },
  );
}
