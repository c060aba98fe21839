/** Handing a line to a durable store, and believing nothing but its confirmation. */

import { fail, ok, type Result } from '../contract/result.ts';
import type { Line } from '../storage/line.ts';
import { CONFIRM_TIMEOUT_MS } from './limits.ts';

/** The one call of a queue that is needed here; a Queue is one. */
export interface LineQueue {
  send(line: string, options: { readonly contentType: 'text' }): Promise<unknown>;
}

/** Why no store has confirmed; `cause` is what was thrown. */
export type DurabilityFailure =
  | { readonly reason: 'queue_refused'; readonly cause: unknown }
  | { readonly reason: 'queue_timed_out' };

/**
 * Puts a line on the queue and waits for the confirmation, {@link CONFIRM_TIMEOUT_MS} at most. One that comes later
 * finds the sender told otherwise: the event is stored, and stored once more when the sender tries again.
 */
export async function makeDurable(queue: LineQueue, line: Line): Promise<Result<'queue', DurabilityFailure>> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const timeout = new Promise<Result<never, DurabilityFailure>>((resolve) => {
    timer = setTimeout(() => resolve(fail({ reason: 'queue_timed_out' })), CONFIRM_TIMEOUT_MS);
  });
  const confirmation = queue.send(line, { contentType: 'text' }).then(
    () => ok('queue' as const),
    (cause: unknown) => fail({ reason: 'queue_refused' as const, cause }),
  );
  try {
    return await Promise.race([confirmation, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
