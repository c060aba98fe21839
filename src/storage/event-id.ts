/** Time-ordered identifiers (UUIDv7, RFC 9562 section 5.7). */

import { v7 } from 'uuid';

/** Makes an identifier of this moment. Within one isolate, later ones sort after earlier ones. */
export function newEventId(): string {
  return v7();
}

/** The millisecond at which an identifier was made: its first 48 bits. */
export function timeOf(eventId: string): Date {
  return new Date(Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16));
}
