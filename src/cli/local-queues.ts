/**
 * Counts the messages in the local queues, from the log of the Worker. Local queues are in memory, so their messages
 * are lost when the service stops. Pure.
 */

import * as v from 'valibot';

const Count = v.optional(v.number(), 0);

/** How a line changes the count: queueing adds messages, and a consumed batch removes them. */
const LogLine = v.union([
  // A batch of events, packed into fewer messages. The line does not say where they are: in the queue, R2 or both.
  v.pipe(
    v.object({ event: v.literal('request'), queued: v.number() }),
    v.transform(({ queued }) => queued),
  ),
  v.pipe(
    v.object({ event: v.picklist(['request', 'refused_body_kept_late']), stored_in: v.literal('queue') }),
    v.transform(() => 1),
  ),
  v.pipe(
    v.object({ event: v.literal('batch'), messages: v.number(), retried: Count }),
    v.transform(({ messages, retried }) => retried - messages),
  ),
]);

/** Starts counting when the service starts, with empty queues. */
export function countLocalQueues() {
  let waiting = 0;
  return {
    /** Updates the count from a line of the log; other lines are ignored. */
    read(line: string): void {
      const read = line.startsWith('{"event":')
        ? v.safeParse(v.pipe(v.string(), v.parseJson(), LogLine), line)
        : undefined;
      if (read?.success) waiting += read.output;
    },
    /** Resets the count, and returns how many messages were lost. */
    clear(): number {
      const gone = waiting;
      waiting = 0;
      return gone;
    },
    get waiting() {
      return waiting;
    },
  };
}
