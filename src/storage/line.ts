/** The line: a row as one line of NDJSON, built once at the edge and never taken apart on its way. Pure. */

import { jsonText } from '../contract/json-text.ts';
import type { Row } from '../contract/row.ts';

/** What some readers take for the end of a line although JSON does not: NEL, line and paragraph separator. */
const LINE_BREAKS = /[\u0085\u2028\u2029]/g;

/** A finished line: event_id first, and no line break but the last character. */
const LINE = /^\{"event_id":"([\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12})",.+\}\n$/;

/** Where the event_id stands in a line, in characters. */
const EVENT_ID_START = '{"event_id":"'.length;
const EVENT_ID_LENGTH = 36;

/** One event as it travels and rests: JSON text that ends in `\n`. */
export type Line = string & { readonly __brand: 'Line' };

/** Serialises a record as one physical line, whatever a reader takes for a line break. */
export function ndjson(record: object): string {
  return `${jsonText(record).replace(LINE_BREAKS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}

/** Serialises a row. */
export function toLine(row: Row): Line {
  return ndjson(row) as Line;
}

/** Whether a message holds a line of ours. The row inside was checked when the line was built. */
export function isLine(message: unknown): message is Line {
  return typeof message === 'string' && LINE.test(message);
}

/** The event_id of a line, without parsing it. */
export function eventIdOf(line: Line): string {
  return line.slice(EVENT_ID_START, EVENT_ID_START + EVENT_ID_LENGTH);
}

const encoder = new TextEncoder();

/** The size of a line in UTF-8 bytes, which is what the queue and R2 count. */
export function byteLength(text: string): number {
  return encoder.encode(text).byteLength;
}
