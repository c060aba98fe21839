/** Turns an authenticated body into one finished line, or the reason for refusing it. Nothing is stored here. */

import { buildRow } from '../contract/build-row.ts';
import { fingerprint } from '../contract/fingerprint.ts';
import { type Normalised, normalise, type Warning } from '../contract/normalise.ts';
import { parseTimestamp } from '../contract/timestamp.ts';
import type { ParsedObject } from '../json/parse-plainly.ts';
import { fail, ok, type Result } from '../result.ts';
import { maySendFor, type Sender } from '../senders/sender.ts';
import { timestampOf, uuidv7 } from '../storage/event-id.ts';
import { isLongerThan, type Line, toLine } from '../storage/line.ts';
import { decodeBody } from './decode-body.ts';
import { MAX_BODY_BYTES, MAX_LINE_BYTES } from './limits.ts';
import type { ReceivedBody } from './read-body.ts';
import { readPayload } from './read-payload.ts';
import type { Refusal } from './refusal.ts';
import { idempotencyKeyOf } from './request-headers.ts';

/** An event that is ready to be stored, and the facts for its answer. */
export interface BuiltEvent {
  readonly eventId: string;
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  readonly receivedAt: string;
  readonly eventType: string;
  readonly warnings: readonly Warning[];
  readonly line: Line;
}

/** Decodes, checks and normalises the event that `sender` sent, and builds its line. */
export async function buildEvent(
  received: ReceivedBody,
  headers: Headers,
  sender: Sender,
): Promise<Result<BuiltEvent, Refusal>> {
  const body = decodeBody(received, MAX_BODY_BYTES);
  if (!body.ok) return body;
  const payload = readPayload(body.value, () => headers.get('Content-Type'));
  if (!payload.ok) return payload;
  const checked = checkPayload(payload.value, sender);
  if (!checked.ok) return checked;
  const { reservation, extra } = checked.value;
  const content = { reservation, extra, ...withHeaderTime(checked.value, headers) };
  const digest = await fingerprint(reservation, extra);
  return writeEvent(content, digest, idempotencyKeyOf(headers), sender);
}

/** Normalises a payload, and checks it against the contract and the permissions of its sender. */
export function checkPayload({ members, repeated }: ParsedObject, sender: Sender): Result<Normalised, Refusal> {
  const normalised = normalise(members, repeated);
  if (!normalised.ok) return fail({ reason: 'invalid_event', breach: normalised.error });
  return maySendFor(sender, normalised.value.reservation.integration_id)
    ? normalised
    : fail({ reason: 'forbidden_integration' });
}

/** In milliseconds: the most by which a wrong clock or zone is off. A time further in the future gets a warning. */
const MAX_AHEAD_MS = 24 * 60 * 60 * 1_000;

export function writeEvent(
  content: Normalised,
  digest: string,
  idempotencyKey: string | null,
  sender: Sender,
): Result<BuiltEvent, Refusal> {
  const { occurredAt, reservation } = content;
  const eventId = uuidv7();
  const receivedAt = timestampOf(eventId);
  const isAhead = occurredAt !== null && Date.parse(occurredAt) - Date.parse(receivedAt) > MAX_AHEAD_MS;
  const warnings = isAhead ? ([...content.warnings, 'occurred_at:in_the_future'] as const) : content.warnings;
  const envelope = { eventId, fingerprint: digest, idempotencyKey, receivedAt, occurredAt, sender: sender.name };
  const line = toLine(buildRow(envelope, { ...content, warnings }));
  if (isLongerThan(line, MAX_LINE_BYTES)) return fail({ reason: 'line_too_large', limitBytes: MAX_LINE_BYTES });
  return ok({ eventId, receivedAt, eventType: reservation.event_type, warnings, line });
}

/** Uses the time in the header `ce-time` (CloudEvents, binary mode) when the body has no usable one. */
function withHeaderTime(
  { occurredAt, warnings }: Normalised,
  headers: Headers,
): Pick<Normalised, 'occurredAt' | 'warnings'> {
  const header = occurredAt === null ? headers.get('ce-time')?.trim() : undefined;
  if (!header) return { occurredAt, warnings };
  const time = parseTimestamp(header);
  // A set, since the body may have an unusable time, too.
  if (typeof time === 'string')
    return { occurredAt, warnings: [...new Set<Warning>([...warnings, 'occurred_at:not_a_timestamp'])] };
  if (time.isClamped) return { occurredAt: time.utc, warnings: [...warnings, 'occurred_at:beyond_9999'] };
  return { occurredAt: time.utc, warnings: time.hasZone ? warnings : [...warnings, 'occurred_at:no_zone'] };
}
