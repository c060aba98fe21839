/** A row as one line of NDJSON, built once at the edge and never parsed on its way to R2. Pure. */

import { Buffer } from 'node:buffer';
import type { Row } from '../contract/row.ts';
import { UUID_V7 } from '../contract/uuid-v7.ts';
import { jsonText } from '../json/loadable-text.ts';
import type { Rejection } from './rejection.ts';

/** Characters that some readers treat as a line break although JSON does not: NEL, line and paragraph separator. */
const LINE_BREAKS = ['\u0085', '\u2028', '\u2029'] as const;

/** What a finished line never contains. Each is searched for separately, which the engine does many bytes at a time. */
const NEVER_IN_A_LINE = ['\r', ...LINE_BREAKS] as const;

/** How the line of an event and that of a refused body start. Only the start is matched, since lines can be long. */
const EVENT_START = new RegExp(`^\\{"event_id":"${UUID_V7}",`);
const REJECTION_START = new RegExp(`^\\{"rejection_id":"${UUID_V7}",`);

/** The length of an identifier, in characters. */
const ID_LENGTH = 36;

/** The text before the name of the sender, which contains no quote. */
const SENDER = ',"sender":"';

/** One event as sent and stored: JSON text that ends in `\n`. */
export type Line = string & { readonly __brand: 'Line' };

/** One refused body, in the same form. */
export type RejectionLine = string & { readonly __brand: 'RejectionLine' };

/** Serialises a record as one physical line, without a character that any reader treats as a line break. */
export function ndjson(record: object): string {
  return asLine(jsonText(record));
}

/** Turns JSON text into a line. Few texts hold a line break that JSON does not escape; only those are rewritten. */
function asLine(text: string): string {
  let line = `${text}\n`;
  for (const char of LINE_BREAKS) {
    if (line.includes(char)) line = line.replaceAll(char, `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  }
  return line;
}

export function toRejectionLine(rejection: Rejection): RejectionLine {
  return ndjson(rejection) as RejectionLine;
}

/** Serialises a row. Its strings are loadable already: each was normalised by the contract or came from a header. */
export function toLine(row: Row): Line {
  return asLine(JSON.stringify(row)) as Line;
}

/** Serialises a row that was parsed from a line, of any schema version: unchanged values give the same bytes. */
export function toStoredLine(row: Readonly<Record<string, unknown>>): string {
  return asLine(JSON.stringify(row));
}

/** Whether a finished line is an event. */
export function startsAsEvent(line: string): line is Line {
  return EVENT_START.test(line);
}

/** Whether a message is the valid record of an event. The row inside was checked when the line was built. */
export function isLine(message: unknown): message is Line {
  return typeof message === 'string' && startsAsEvent(message) && isOneLine(message);
}

/** The event_id or rejection_id at the start of a line, without parsing it. */
export function recordIdOf(line: Line | RejectionLine): string {
  const start = line.indexOf(':"') + 2;
  return line.slice(start, start + ID_LENGTH);
}

/**
 * The sender of a line, without parsing it; undefined when there is none. In JSON, this name between a comma and a
 * colon is always a member name: a quote inside a string is escaped.
 */
export function senderOf(line: Line): string | undefined {
  const at = line.indexOf(SENDER);
  const from = at + SENDER.length;
  return at === -1 ? undefined : line.slice(from, line.indexOf('"', from));
}

/** Whether a finished line is a refused body. */
export function startsAsRejection(line: string): line is RejectionLine {
  return REJECTION_START.test(line);
}

/** Whether a message is the valid record of a refused body. */
export function isRejectionLine(message: unknown): message is RejectionLine {
  return typeof message === 'string' && startsAsRejection(message) && isOneLine(message);
}

/**
 * Parses the row of a stored line.
 *
 * @throws When it is not a JSON object. The error quotes nothing of the line, since errors are logged and lines hold
 * guests.
 */
export function parseRow(line: string): Record<string, unknown> {
  try {
    const row: unknown = JSON.parse(line);
    if (typeof row === 'object' && row !== null) return row as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  const name = startsAsEvent(line) ? `the row of event ${recordIdOf(line)}` : 'a row without an event_id';
  throw new Error(
    `Cannot read ${name}: it is not a JSON object; npm run events -- verify names the object that holds it`,
  );
}

function isOneLine(text: string): boolean {
  const ends = text.endsWith('}\n') && text.indexOf('\n') === text.length - 1;
  // An unpaired surrogate would become another character on its way to R2.
  return ends && text.isWellFormed() && NEVER_IN_A_LINE.every((char) => !text.includes(char));
}

/**
 * Splits a message into its lines: one, or as many as fit, since Queues are billed per 64 KB. When the message does not
 * end with `\n`, its last line is not a valid record.
 */
export function linesOfMessage(message: string): string[] {
  return message.indexOf('\n') === message.length - 1 ? [message] : (message.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}

/** UTF-8 bytes per UTF-16 code unit at most (RFC 3629). */
const MAX_BYTES_PER_UNIT = 3;

/** Whether a text is longer than a limit in UTF-8 bytes, which is how the queue and R2 measure it. */
export function isLongerThan(text: string, limitBytes: number): boolean {
  return text.length * MAX_BYTES_PER_UNIT > limitBytes && Buffer.byteLength(text) > limitBytes;
}
