/** Builds a row. That it matches the schema of the row is checked at compile time. Pure. */

import type { Normalised } from './normalise.ts';
import { type Row, SCHEMA_VERSION } from './row.ts';

/** What the Worker adds to the content of an event. */
export interface Envelope {
  readonly eventId: string;
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  readonly receivedAt: string;
  /** When the PMS says that it happened, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  readonly occurredAt: string | null;
  readonly sender: string;
}

export function buildRow(
  envelope: Envelope,
  { reservation, warnings, extra }: Pick<Normalised, 'reservation' | 'warnings' | 'extra'>,
): Row {
  return {
    event_id: envelope.eventId,
    event_fingerprint: envelope.fingerprint,
    idempotency_key: envelope.idempotencyKey,
    received_at: envelope.receivedAt,
    occurred_at: envelope.occurredAt,
    sender: envelope.sender,
    schema_version: SCHEMA_VERSION,
    ...reservation,
    warnings: [...warnings],
    extra,
  };
}
