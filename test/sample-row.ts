/** Rows of events, as if they had been accepted. */

import { buildRow } from '../src/contract/build-row.ts';
import { type Normalised, normalise } from '../src/contract/normalise.ts';
import type { Row } from '../src/contract/row.ts';
import { parseObject } from '../src/json/parse-object.ts';
import { timestampOf } from '../src/storage/event-id.ts';

/**
 * What becomes of an event that has gone over the wire as text.
 *
 * @throws When it is no JSON object, or breaks the contract.
 */
export function normalisedText(text: string): Normalised {
  const payload = parseObject(text);
  const normalised = payload.ok ? normalise(payload.value.members, payload.value.repeated) : payload;
  if (!normalised.ok) throw new Error(`Cannot make a row: ${JSON.stringify(normalised.error)}`);
  return normalised.value;
}

/**
 * The row of an event that was accepted at the moment of its identifier.
 *
 * @throws When the event breaks the contract.
 */
export function sampleRow(
  event: Readonly<Record<string, unknown>>,
  eventId: string,
  fingerprint = '0'.repeat(32),
): Row {
  return rowOfNormalised(normalisedText(JSON.stringify(event)), eventId, fingerprint);
}

/** The row of what an event has become. */
export function rowOfNormalised(normalised: Normalised, eventId: string, fingerprint = '0'.repeat(32)): Row {
  const { occurredAt } = normalised;
  const receivedAt = timestampOf(eventId);
  const envelope = { eventId, fingerprint, idempotencyKey: null, receivedAt, occurredAt, sender: 'default' };
  return buildRow(envelope, normalised);
}
