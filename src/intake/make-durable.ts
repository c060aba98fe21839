/** Handing a line to a durable store, and believing nothing but its confirmation: the queue, and R2 when it is slow. */

import { fail, ok, type Result } from '../contract/result.ts';
import { logError } from '../log.ts';
import { createObject, type ObjectCreator } from '../storage/create-object.ts';
import { within } from '../within.ts';
import { CONFIRM_TIMEOUT_MS, QUEUE_TIMEOUT_MS } from './limits.ts';

/** The one call of a queue that is needed here; a Queue is one. */
interface LineQueue {
  send(line: string, options: { readonly contentType: 'text' }): Promise<unknown>;
}

/** Who lets a store finish after the answer; an ExecutionContext does. */
export interface Background {
  waitUntil(promise: Promise<unknown>): void;
}

/** Where a line can be put. */
export interface Stores {
  readonly queue: LineQueue;
  readonly bucket: ObjectCreator;
  readonly background: Background;
}

/** The store that confirmed first. */
export type DurablePath = 'queue' | 'r2';

/** Why no store has confirmed. */
export type DurabilityFailure = { readonly reason: 'stores_refused' } | { readonly reason: 'stores_timed_out' };

/**
 * Puts a line on the queue. When the queue refuses, or has not confirmed after {@link QUEUE_TIMEOUT_MS}, the same line
 * also becomes an object of R2. The first confirmation counts, and is waited for {@link CONFIRM_TIMEOUT_MS} at most.
 *
 * A store that confirms later finishes in the background: a line that is then stored twice is one event by its
 * event_id. If the sender was told that nothing was stored, the event is stored once more when the sender tries again.
 *
 * @param key - The object of R2 that the line becomes. Nothing else may ever use it.
 */
export async function makeDurable(
  line: string,
  key: string,
  { queue, bucket, background }: Stores,
): Promise<Result<DurablePath, DurabilityFailure>> {
  const queued = confirm('queue', async () => queue.send(line, { contentType: 'text' }));
  const written = queueConfirms(queued).then((confirmed) =>
    confirmed ? queued : confirm('r2', async () => createObject(bucket, key, [line])),
  );
  background.waitUntil(Promise.allSettled([queued, written]));
  const first = Promise.any([queued, written]).then(ok, () => fail({ reason: 'stores_refused' as const }));
  return (await within(first, CONFIRM_TIMEOUT_MS)) ?? fail({ reason: 'stores_timed_out' });
}

async function confirm(path: DurablePath, store: () => Promise<unknown>): Promise<DurablePath> {
  try {
    await store();
    return path;
  } catch (error) {
    logError('store_refused', error, { path });
    throw error;
  }
}

async function queueConfirms(queued: Promise<DurablePath>): Promise<boolean> {
  const inTime = within(queued, QUEUE_TIMEOUT_MS);
  return inTime.then(
    (path) => path !== undefined,
    () => false,
  );
}
