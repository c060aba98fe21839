/** Time-ordered identifiers (UUIDv7, RFC 9562 section 5.7). */

/** The twelve bits after the time count identifiers made in the same millisecond (RFC 9562 section 6.2, method 1). */
const MAX_COUNT = 0xfff;

/**
 * A clock that is further back than this, in milliseconds, was ahead before and has been corrected. Identifiers then
 * follow it, since they say when an event was received. The counter never runs that far ahead.
 */
const MAX_AHEAD_MS = 10_000;

let time = 0;
let count = 0;
/** The prefix of all identifiers of `time`, up to the counter: a batch makes thousands within a millisecond. */
let start = '';

/**
 * Makes an identifier for the current time. Within one isolate, later identifiers sort after earlier ones: while the
 * clock stands still a counter increases, and when it overflows the time runs ahead of the clock by a millisecond. A
 * clock that is set back by more than ten seconds is followed.
 */
export function uuidv7(): string {
  const now = Date.now();
  if (now < time - MAX_AHEAD_MS) startAt(now);
  else if (now <= time && count < MAX_COUNT) count += 1;
  else startAt(Math.max(now, time + 1));
  const counter = count.toString(16).padStart(3, '0');
  // The variant and the 62 random bits after it are taken from a UUIDv4. Joined rather than concatenated:
  // JSON.stringify takes several times as long for an object that holds a concatenated string.
  return [start + counter, crypto.randomUUID().slice(19)].join('-');
}

function startAt(milliseconds: number): void {
  [time, count] = [milliseconds, 0];
  const digits = time.toString(16).padStart(12, '0');
  start = `${digits.slice(0, 8)}-${digits.slice(8)}-7`;
}

/** The time at which an identifier was made, to the millisecond: its first 48 bits. */
export function timeOf(eventId: string): Date {
  return new Date(Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16));
}

/** The last result of `timestampOf()`: the start of the identifier, and the text. */
let [knownStart, knownText] = ['', ''];

/** The time of an identifier as stored, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export function timestampOf(eventId: string): string {
  const milliseconds = eventId.slice(0, 13);
  if (milliseconds !== knownStart) [knownStart, knownText] = [milliseconds, timeOf(eventId).toISOString()];
  return knownText;
}
