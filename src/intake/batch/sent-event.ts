/** Reads one event of a batch, with or without an envelope. Pure. */

import { loadableText } from '../../json/loadable-text.ts';
import { membersOf } from '../../json/members.ts';
import { type ParseFailure, parseObject } from '../../json/parse-object.ts';
import type { ParsedObject } from '../../json/parse-plainly.ts';
import type { Result } from '../../result.ts';

export interface SentEvent {
  readonly text: string;
  readonly payload: Result<ParsedObject, ParseFailure>;
  /** Not blank. Null when there is none. */
  readonly idempotencyKey: string | null;
}

const NAMES = ['event', 'idempotency_key'];

/** The start of an envelope. The first name tells nearly every bare event from one. */
const ENVELOPE_START = /^[ \t\r\n]*\{[ \t\r\n]*"(?:event|idempotency_key)"/;

/**
 * Reads an event, which may be in an envelope: `{"idempotency_key": "…", "event": {…}}`. Anything else is treated as
 * the event itself.
 */
export function readSentEvent(text: string): SentEvent {
  const enveloped = ENVELOPE_START.test(text) ? readEnvelope(text) : undefined;
  return enveloped ?? { text, payload: parseObject(text), idempotencyKey: null };
}

function readEnvelope(envelope: string): SentEvent | undefined {
  if (!parseObject(envelope).ok) return undefined;
  const sent = membersOf(envelope);
  if (sent.some(({ name }) => !NAMES.includes(name))) return undefined;
  // Of two events, one would be lost.
  if (sent.filter(({ name }) => name === 'event').length !== 1) return undefined;
  const members = new Map(sent.map(({ name, start, end }) => [name, envelope.slice(start, end)]));
  const text = members.get('event') ?? '';
  const key: unknown = JSON.parse(members.get('idempotency_key') ?? 'null');
  if (key !== null && typeof key !== 'string') return undefined;
  return { text, payload: parseObject(text), idempotencyKey: keyOf(key) };
}

/** The key as it is stored. Unlike a key in a header, it may contain any character that JSON can express. */
function keyOf(key: string | null): string | null {
  return loadableText(key?.trim() ?? '') || null;
}
