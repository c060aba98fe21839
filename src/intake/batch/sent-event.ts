/** One event of a batch as it was sent. Pure. */

import { loadableText } from '../../json/loadable-text.ts';
import { membersOf } from '../../json/members.ts';
import { type ParseFailure, parseObject } from '../../json/parse-object.ts';
import type { ParsedObject } from '../../json/parse-plainly.ts';
import type { Result } from '../../result.ts';

export interface SentEvent {
  readonly text: string;
  readonly payload: Result<ParsedObject, ParseFailure>;
  /** Not blank; null when there is none. */
  readonly idempotencyKey: string | null;
}

const NAMES = ['event', 'idempotency_key'];

/** How an envelope starts. Nearly every other event is told from one by its first name. */
const ENVELOPE_START = /^[ \t\r\n]*\{[ \t\r\n]*"(?:event|idempotency_key)"/;

/**
 * Reads an event, which may be in an envelope: `{"idempotency_key": "…", "event": {…}}`. Anything else is taken for the
 * event itself, and judged as one.
 */
export function readSentEvent(text: string): SentEvent {
  const enveloped = ENVELOPE_START.test(text) ? readEnvelope(text) : undefined;
  return enveloped ?? { text, payload: parseObject(text), idempotencyKey: null };
}

function readEnvelope(envelope: string): SentEvent | undefined {
  if (!parseObject(envelope).ok) return undefined;
  const members = new Map(membersOf(envelope).map(({ name, start, end }) => [name, envelope.slice(start, end)]));
  const text = members.get('event');
  if (text === undefined || [...members.keys()].some((name) => !NAMES.includes(name))) return undefined;
  const key: unknown = JSON.parse(members.get('idempotency_key') ?? 'null');
  if (key !== null && typeof key !== 'string') return undefined;
  return { text, payload: parseObject(text), idempotencyKey: keyOf(key) };
}

/** A key as it is stored. It may hold anything that JSON can write, unlike one that comes in a header. */
function keyOf(key: string | null): string | null {
  return loadableText(key?.trim() ?? '') || null;
}
