/** When a line was received. Pure. */

const TIMES = /"(?:received_at|rejected_at|enqueued_at)":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/;
const EVENT_ID = /^\{"event_id":"([\da-f-]{36})"/;

/** Reads the time of an event, a refused body or a dead letter, and the event_id of the first; null where it has none. */
export function isoTimeOf(line: string): { readonly time: string | null; readonly eventId: string | null } {
  return { time: TIMES.exec(line)?.[1] ?? null, eventId: EVENT_ID.exec(line)?.[1] ?? null };
}
