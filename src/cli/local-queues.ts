/**
 * How many messages the queues on this machine hold, from what the Worker logs. They are kept in memory, so what is in
 * them when the service stops is gone. Pure.
 */

import * as v from 'valibot';

/** The count of messages. */
export interface LocalQueues {
  /** Takes a line of the log into account; other lines mean nothing. */
  read(line: string): void;
  readonly waiting: number;
}

const Count = v.optional(v.number(), 0);

/** What puts messages on a queue, and what takes them off. */
const LogLine = v.variant('event', [
  v.object({ event: v.picklist(['request', 'refused_body_kept_late']), path: v.literal('queue') }),
  v.object({ event: v.literal('batch'), messages: v.number(), retried: Count }),
]);

/** Starts counting at the start of the service, when the queues are empty. */
export function countLocalQueues(): LocalQueues {
  let waiting = 0;
  return {
    read(line) {
      const read = line.startsWith('{"event":')
        ? v.safeParse(v.pipe(v.string(), v.parseJson(), LogLine), line)
        : undefined;
      if (!read?.success) return;
      const { output } = read;
      waiting += output.event === 'batch' ? output.retried - output.messages : 1;
    },
    get waiting() {
      return waiting;
    },
  };
}
