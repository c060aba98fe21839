/** Handing a line to a durable store, and believing nothing but its confirmation: the queue, and R2 when it is slow. */

import { withTimeout } from '../http/with-timeout.ts';
import { fail, ok, type Result } from '../result.ts';
import { createObject, type ObjectCreator } from '../storage/create-object.ts';
import { isLongerThan, linesOfMessage } from '../storage/line.ts';
import { logError } from '../telemetry/log.ts';
import { CONFIRM_TIMEOUT_MS, MAX_LINE_BYTES, QUEUE_TIMEOUT_MS } from './limits.ts';
import type { Refusal } from './refusal.ts';

/** The one call of a queue that is needed here; a Queue is one. */
interface LineQueue {
  send(line: string, options: { readonly contentType: 'text' }): Promise<unknown>;
}

/** Who lets a store finish after the answer; an ExecutionContext does. */
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
 * Puts a line on the queue, or several as one message. When the queue refuses, or has not confirmed after
 * {@link QUEUE_TIMEOUT_MS}, the same also becomes an object of R2. The first confirmation counts, and is waited for {@link CONFIRM_TIMEOUT_MS} at most.
 *
 * A store that confirms later finishes in the background: a line that is then stored twice is one event by its
 * event_id. If the sender was told that nothing was stored, the event is stored once more when the sender tries again.
 *
 * @param keyOf - Names the object of R2 that the line becomes, if it comes to that. Nothing else may ever use the key.
 */
export async function makeDurable(
  message: string,
  keyOf: () => string,
  { queue, bucket, background }: Stores,
): Promise<Result<StoredIn, Refusal>> {
  const started = Date.now();
  // A refused body can be more than a message holds; the queue need not be asked.
  const queued = isLongerThan(message, MAX_LINE_BYTES)
    ? Promise.resolve(REFUSED)
    : confirm('queue', () => queue.send(message, TEXT));
  // Also when the client leaves before it is answered, which would end a request that nothing else keeps.
  background.waitUntil(queued);
  const inTime = await withTimeout(queued, QUEUE_TIMEOUT_MS);
  if (inTime?.ok) return inTime;

  const written = confirm('r2', () => createObject(bucket, keyOf(), linesOfMessage(message)));
  background.waitUntil(written);
  // Whichever store confirms first; one that refuses leaves it to the other.
  const first = Promise.race([
    queued.then((confirmation) => (confirmation.ok ? confirmation : written)),
    written.then((confirmation) => (confirmation.ok ? confirmation : queued)),
  ]);
  return (await withTimeout(first, started + CONFIRM_TIMEOUT_MS - Date.now())) ?? fail({ reason: 'stores_timed_out' });
}

/** The platform would take a structured clone of the line otherwise. */
const TEXT = { contentType: 'text' } as const;

const REFUSED = fail({ reason: 'stores_refused' } as const);

/** Asks a store. It does not throw, so that a store which fails after the answer does no harm. */
function confirm(storedIn: StoredIn, store: () => Promise<unknown>): Promise<Result<StoredIn, Refusal>> {
  return Promise.try(store).then(
    () => ok(storedIn),
    (error) => {
      logError('store_refused', error, { store: storedIn });
      return REFUSED;
    },
  );
}
