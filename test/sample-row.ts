/** Rows of events, as if they had been accepted. */

import { buildRow } from '../src/contract/build-row.ts';
import { normalise } from '../src/contract/normalise.ts';
import type { Row } from '../src/contract/row.ts';
import { timestampOf } from '../src/storage/event-id.ts';

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
  const normalised = normalise(event);
  if (!normalised.ok) throw new Error(`Cannot make a row: ${JSON.stringify(normalised.error)}`);
  const { occurredAt } = normalised.value;
  const receivedAt = timestampOf(eventId);
  const envelope = { eventId, fingerprint, idempotencyKey: null, receivedAt, occurredAt, sender: 'default' };
  return buildRow(envelope, normalised.value);
}
