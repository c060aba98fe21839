/** Time-ordered identifiers (UUIDv7, RFC 9562 section 5.7). */

/** The twelve bits behind the time count what is made within one millisecond (RFC 9562 section 6.2, method 1). */
const MAX_COUNT = 0xfff;

let time = 0;
let count = 0;

/**
 * Makes an identifier of this moment. Within one isolate, later ones sort after earlier ones: when the clock stands
 * still they are counted, and when that is not enough they run ahead of it by a millisecond.
 */
export function newEventId(): string {
  const now = Date.now();
  if (now > time) [time, count] = [now, 0];
  else if (count < MAX_COUNT) count += 1;
  else [time, count] = [time + 1, 0];
  const milliseconds = time.toString(16).padStart(12, '0');
  const counter = count.toString(16).padStart(3, '0');
  // The variant and the 62 random bits behind it are those of a UUIDv4.
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-7${counter}${crypto.randomUUID().slice(18)}`;
}

/** The millisecond at which an identifier was made: its first 48 bits. */
export function timeOf(eventId: string): Date {
  return new Date(Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16));
}
