/** Lines as bytes, for code that scans whole objects and needs only a few columns of each line. Pure. */

import { concat } from './concat.ts';

const NEWLINE = 0x0a;
const CLOSING_BRACE = 0x7d;
const START = new TextEncoder().encode('{"event_id":"');
const AFTER_ID = new TextEncoder().encode('",');
const COMMA = 0x2c;
const ZERO = 0x30;
const SCHEMA_VERSION = new TextEncoder().encode(',"schema_version":');
const SENDER = new TextEncoder().encode(',"sender":"');
const OCCURRED_AT = new TextEncoder().encode(',"occurred_at":"');
const QUOTE = 0x22;

/** The pattern of a UUID: the positions of its hyphens and digits. */
const UUID = 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx';
const PLACES = Array.from(UUID, (char, at) => ({ isHyphen: char === '-', at: START.length + at }));
const HYPHENS = PLACES.filter(({ isHyphen }) => isHyphen).map(({ at }) => at);
const DIGITS = PLACES.filter(({ isHyphen }) => !isHyphen).map(({ at }) => at);
const HYPHEN = 0x2d;

/** An event_id as four 32-bit words, most significant first, so that comparing words orders by time. */
export type EventIdWords = Uint32Array & { 0: number; 1: number; 2: number; 3: number };

export function newEventIdWords(): EventIdWords {
  return new Uint32Array(4) as EventIdWords;
}

/** The lines of a block, each with its `\n`; text after the last `\n` is a line too. */
export function* linesOfBlock(block: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < block.length; ) {
    const newline = block.indexOf(NEWLINE, start);
    const end = newline === -1 ? block.length : newline + 1;
    yield block.subarray(start, end);
    start = end;
  }
}

/** Cuts a stream into blocks of whole lines; text after the last `\n` becomes a block of its own. */
export async function* wholeLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = new Uint8Array(0);
  for await (const chunk of stream) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) yield concat([rest, chunk.subarray(0, end)]);
    rest = end > 0 ? chunk.slice(end) : concat([rest, chunk]);
  }
  if (rest.length > 0) yield rest;
}

/**
 * Reads the event_id of a line.
 *
 * @param into - Receives the event_id; partly written when the line is not a valid record.
 * @returns Whether the line is a valid record: it starts with `event_id`, whose value is a UUIDv7, and ends with `}`
 * and `\n`.
 */
export function readEventId(line: Uint8Array, into: EventIdWords): boolean {
  if (!holds(line, START, 0) || !holds(line, AFTER_ID, START.length + UUID.length)) return false;
  if (line[line.length - 1] !== NEWLINE || line[line.length - 2] !== CLOSING_BRACE) return false;
  for (const at of HYPHENS) if (line[at] !== HYPHEN) return false;
  for (let digit = 0; digit < DIGITS.length; digit++) {
    const value = hexValue(line[DIGITS[digit] ?? 0] ?? 0);
    if (value === -1) return false;
    const word = digit >>> 3;
    into[word] = ((into[word] ?? 0) << 4) | value;
  }
  return (into[1] & 0xf000) === 0x7000 && into[2] >>> 30 === 2;
}

/** Reads the schema_version of a line that {@link readEventId} accepted; undefined when it has none. */
export function readSchemaVersion(line: Uint8Array): number | undefined {
  const from = findMember(line, SCHEMA_VERSION);
  if (from === undefined) return undefined;
  let version = 0;
  for (let digit = from; isDigit(line[digit]); digit++) version = version * 10 + (line[digit] ?? 0) - ZERO;
  return version;
}

/** Reads the sender of a line that {@link readEventId} accepted; undefined when it has none. */
export function readSender(line: Uint8Array): string | undefined {
  return readText(line, SENDER);
}

/** Reads `occurred_at` of a line that {@link readEventId} accepted; undefined when it has none or it is null. */
export function readOccurredAt(line: Uint8Array): string | undefined {
  return readText(line, OCCURRED_AT);
}

function readText(line: Uint8Array, member: Uint8Array): string | undefined {
  const from = findMember(line, member);
  return from === undefined ? undefined : decoder.decode(line.subarray(from, line.indexOf(QUOTE, from)));
}

const decoder = new TextDecoder();

/**
 * The offset at which the value of a member starts. In JSON, a quoted name between a comma and a colon is always a
 * member name: a quote inside a string is escaped.
 */
function findMember(line: Uint8Array, member: Uint8Array): number | undefined {
  for (let at = line.indexOf(COMMA); at !== -1; at = line.indexOf(COMMA, at + 1)) {
    if (holds(line, member, at)) return at + member.length;
  }
  return undefined;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= ZERO + 9;
}

/** The time of an event_id, in milliseconds since 1970: its first 48 bits (RFC 9562 section 5.7). */
export function millisecondsOf(id: EventIdWords): number {
  return id[0] * 0x1_0000 + (id[1] >>> 16);
}

export function formatEventId(id: EventIdWords): string {
  const hex = Array.from(id, (word) => word.toString(16).padStart(8, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export function isBefore(left: EventIdWords, right: EventIdWords): boolean {
  const at = left.findIndex((word, index) => word !== right[index]);
  return at !== -1 && (left[at] ?? 0) < (right[at] ?? 0);
}

/** Whether the line contains these bytes at an offset. */
function holds(line: Uint8Array, bytes: Uint8Array, from: number): boolean {
  for (let at = 0; at < bytes.length; at++) if (line[from + at] !== bytes[at]) return false;
  return true;
}

/** The value of a lower-case hexadecimal digit, or -1. */
function hexValue(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  return byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1;
}
