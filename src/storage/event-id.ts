/** Time-ordered identifiers (UUIDv7, RFC 9562 section 5.7). */

/** The twelve bits behind the time count what is made within one millisecond (RFC 9562 section 6.2, method 1). */
const MAX_COUNT = 0xfff;

/**
 * A clock that is further back than this, in milliseconds, was ahead before and has been set right: identifiers then follow
 * it, since they say when an event was received. Counting never runs so far ahead.
 */
const MAX_AHEAD_MS = 10_000;

let time = 0;
let count = 0;
/** The identifiers of `time`, up to their count: a batch makes thousands within a millisecond. */
let start = '';

/**
 * Makes an identifier of this moment. Within one isolate, later ones sort after earlier ones: when the clock stands
 * still they are counted, and when that is not enough they run ahead of it by a millisecond. A clock that is set back by
 * more than ten seconds is followed.
 */
export function uuidv7(): string {
  const now = Date.now();
  if (now < time - MAX_AHEAD_MS) startAt(now);
  else if (now <= time && count < MAX_COUNT) count += 1;
  else startAt(Math.max(now, time + 1));
  const counter = count.toString(16).padStart(3, '0');
  // The variant and the 62 random bits behind it are those of a UUIDv4. Joined and not added, since JSON.stringify takes
  // several times as long for an object with a text that was added up.
  return [start + counter, crypto.randomUUID().slice(19)].join('-');
}

function startAt(milliseconds: number): void {
  [time, count] = [milliseconds, 0];
  const digits = time.toString(16).padStart(12, '0');
  start = `${digits.slice(0, 8)}-${digits.slice(8)}-7`;
}

/** The millisecond at which an identifier was made: its first 48 bits. */
export function timeOf(eventId: string): Date {
  return new Date(Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16));
}

/** The time that was asked for last: what an identifier starts with, and the text. */
let [knownStart, knownText] = ['', ''];

/** The time of an identifier as it is stored, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export function timestampOf(eventId: string): string {
  const milliseconds = eventId.slice(0, 13);
  if (milliseconds !== knownStart) [knownStart, knownText] = [milliseconds, timeOf(eventId).toISOString()];
  return knownText;
}
