/** The text of a batch to the texts of its events: NDJSON, or one JSON array. Pure. */

import { MAX_BATCH_EVENTS } from '../../contract/endpoint.ts';
import { membersOf } from '../../json/members.ts';
import { parseObject } from '../../json/parse-object.ts';
import { splitArray } from '../../json/split-array.ts';
import { fail, ok, type Result } from '../../result.ts';
import type { Refusal } from '../refusal.ts';

/**
 * Splits a batch. An array that is malformed is refused as a whole, since nobody can tell where its events end; of
 * NDJSON, a malformed line is an event like any other, and refused by itself. Blank lines count for nothing. One object
 * that spreads over several lines is one event.
 */
export function splitBatch(text: string): Result<readonly string[], Refusal> {
  const events = text.trimStart().startsWith('[') ? elementsOf(text) : ok(linesOf(text));
  if (!events.ok) return events;
  const { length } = events.value;
  if (length === 0) return fail({ reason: 'empty' });
  return length > MAX_BATCH_EVENTS ? fail({ reason: 'too_many_events', limit: MAX_BATCH_EVENTS }) : events;
}

function elementsOf(text: string): Result<readonly string[], Refusal> {
  const parsed = parseObject(text);
  if (!parsed.ok && parsed.error.reason === 'malformed') return parsed;
  return ok(splitArray(text));
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [first = '', second] = lines;
  return second !== undefined && !parseObject(first).ok && parseObject(text).ok ? [text] : lines;
}

/** The text of one event, and the key that stands beside it. */
interface SentEvent {
  readonly event: string;
  readonly idempotencyKey?: string;
}

const ENVELOPE = ['event', 'idempotency_key'];

/**
 * Takes an event out of `{"idempotency_key": "…", "event": {…}}`, as it is written. Anything else is taken for the event
 * itself, and judged as one.
 */
export function unwrapEvent(text: string): SentEvent {
  if (!text.includes('"event"')) return { event: text };
  const members = membersAt(text);
  const event = members?.get('event');
  if (members === undefined || event === undefined || [...members.keys()].some((name) => !ENVELOPE.includes(name))) {
    return { event: text };
  }
  const key: unknown = JSON.parse(members.get('idempotency_key') ?? 'null');
  if (key === null) return { event };
  return typeof key === 'string' ? { event, idempotencyKey: key.trim() } : { event: text };
}

/** The members of an object by their names, each value as it is written; undefined for any other text. */
function membersAt(text: string): ReadonlyMap<string, string> | undefined {
  if (!parseObject(text).ok) return undefined;
  return new Map(membersOf(text).map(({ name, start, end }) => [name, text.slice(start, end)]));
}
