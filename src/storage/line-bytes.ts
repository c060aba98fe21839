/** Lines as bytes, for readers of whole objects that need nothing of a line but its event_id. Pure. */

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

/** The pattern of a UUID: where its hyphens stand, and its digits. */
const UUID = 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx';
const PLACES = Array.from(UUID, (char, at) => ({ isHyphen: char === '-', at: START.length + at }));
const HYPHENS = PLACES.filter(({ isHyphen }) => isHyphen).map(({ at }) => at);
const DIGITS = PLACES.filter(({ isHyphen }) => !isHyphen).map(({ at }) => at);
const HYPHEN = 0x2d;

/** An event_id as four 32-bit words, most significant first, so that the order of words is the order of time. */
export type EventIdWords = Uint32Array & { 0: number; 1: number; 2: number; 3: number };

export function newEventIdWords(): EventIdWords {
  return new Uint32Array(4) as EventIdWords;
}

/** The lines of a block, each with its `\n`; what follows the last `\n` is a line too. */
export function* linesOfBlock(block: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < block.length; ) {
    const newline = block.indexOf(NEWLINE, start);
    const end = newline === -1 ? block.length : newline + 1;
    yield block.subarray(start, end);
    start = end;
  }
}

/** A stream cut into blocks that end with a line; what follows the last `\n` is a block of its own. */
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
 * @param into - Where the event_id is put; left half written when this is no valid record.
 * @returns Whether the line is a valid record: `event_id` first, a UUIDv7 in it, and the end of an object at its end.
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

/** Reads the schema_version of a line, which {@link readEventId} has found to be a valid record; undefined when it has none. */
export function readSchemaVersion(line: Uint8Array): number | undefined {
  const from = findMember(line, SCHEMA_VERSION);
  if (from === undefined) return undefined;
  let version = 0;
  for (let digit = from; isDigit(line[digit]); digit++) version = version * 10 + (line[digit] ?? 0) - ZERO;
  return version;
}

/** Reads the sender of a line, likewise. */
export function readSender(line: Uint8Array): string | undefined {
  return readText(line, SENDER);
}

/** Reads when an event happened, likewise; undefined also when it is null. */
export function readOccurredAt(line: Uint8Array): string | undefined {
  return readText(line, OCCURRED_AT);
}

function readText(line: Uint8Array, member: Uint8Array): string | undefined {
  const from = findMember(line, member);
  return from === undefined ? undefined : decoder.decode(line.subarray(from, line.indexOf(QUOTE, from)));
}

const decoder = new TextDecoder();

/**
 * Where the value of a member starts. In JSON, a name between a comma and a colon is a member and no text: a quote
 * within a text is escaped.
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

/** The time in an event_id, in milliseconds since 1970: its first 48 bits (RFC 9562 section 5.7). */
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

/** Whether some bytes stand at a place. */
function holds(line: Uint8Array, bytes: Uint8Array, from: number): boolean {
  for (let at = 0; at < bytes.length; at++) if (line[from + at] !== bytes[at]) return false;
  return true;
}

/** The value of a lower-case hexadecimal digit, or -1. */
function hexValue(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  return byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1;
}
