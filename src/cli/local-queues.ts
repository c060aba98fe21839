/**
 * How many messages the queues on this machine hold, from what the Worker logs. They are kept in memory, so what is in
 * them when the service stops is gone. Pure.
 */

import * as v from 'valibot';

/** The count of messages. */
export interface LocalQueues {
  /** Takes a line of the log into account; other lines mean nothing. */
  read(line: string): void;
  /** Starts again from nothing, and returns how many messages are gone. */
  clear(): number;
  readonly waiting: number;
}

const Count = v.optional(v.number(), 0);

/** How a line changes the count: what puts messages on a queue, and what takes them off. */
const LogLine = v.union([
  // A batch of events, packed into fewer messages. It does not say where: its messages may be in both.
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

/** Starts counting at the start of the service, when the queues are empty. */
export function countLocalQueues(): LocalQueues {
  let waiting = 0;
  return {
    read(line) {
      const read = line.startsWith('{"event":')
        ? v.safeParse(v.pipe(v.string(), v.parseJson(), LogLine), line)
        : undefined;
      if (read?.success) waiting += read.output;
    },
    clear() {
      const gone = waiting;
      waiting = 0;
      return gone;
    },
    get waiting() {
      return waiting;
    },
  };
}
