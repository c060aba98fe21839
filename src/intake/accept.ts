/** One authenticated request to one durable row. */

import { fingerprint } from '../contract/fingerprint.ts';
import { type Fault, normalise, type Warning } from '../contract/normalise.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { buildRow } from '../contract/row.ts';
import { maySendFor, type Sender } from '../contract/senders.ts';
import { newEventId, timeOf } from '../storage/event-id.ts';
import { byteLength, toLine } from '../storage/line.ts';
import { MAX_LINE_BYTES } from './limits.ts';
import { type DurabilityFailure, type LineQueue, makeDurable } from './make-durable.ts';
import { type BodyFailure, readBody } from './read-body.ts';
import { type PayloadFailure, readPayload } from './read-payload.ts';

/** What the sender is told of an event that is stored. */
export interface Accepted {
  readonly eventId: string;
  readonly receivedAt: Date;
  readonly warnings: readonly Warning[];
}

/** Why an authenticated request is not stored as an event. */
export type AcceptFailure =
  | BodyFailure
  | PayloadFailure
  | DurabilityFailure
  | { readonly reason: 'invalid_event'; readonly faults: readonly Fault[] }
  | { readonly reason: 'forbidden_integration' }
  | { readonly reason: 'line_too_large'; readonly limitBytes: number };

/** Takes the event of a request from `sender`: reads, checks, normalises and makes it durable. */
export async function accept(
  request: Request,
  sender: Sender,
  queue: LineQueue,
): Promise<Result<Accepted, AcceptFailure>> {
  const body = await readBody(request);
  if (!body.ok) return body;
  const payload = readPayload(body.value, request.headers.get('Content-Type'));
  if (!payload.ok) return payload;
  const normalised = normalise(payload.value);
  if (!normalised.ok) return fail({ reason: 'invalid_event', faults: normalised.error });
  const { reservation } = normalised.value;
  if (!maySendFor(sender, reservation.integration_id)) return fail({ reason: 'forbidden_integration' });

  const eventId = newEventId();
  const receivedAt = timeOf(eventId);
  const line = toLine(
    buildRow(
      {
        eventId,
        fingerprint: await fingerprint(reservation),
        idempotencyKey: readIdempotencyKey(request.headers),
        receivedAt,
        sender: sender.name,
      },
      normalised.value,
    ),
  );
  if (byteLength(line) > MAX_LINE_BYTES) return fail({ reason: 'line_too_large', limitBytes: MAX_LINE_BYTES });

  const durable = await makeDurable(queue, line);
  return durable.ok ? ok({ eventId, receivedAt, warnings: normalised.value.warnings }) : durable;
}

/** The sender's own name for the delivery: Idempotency-Key, or the webhook-id of the Standard Webhooks specification. */
function readIdempotencyKey(headers: Headers): string | null {
  const key = headers.get('Idempotency-Key')?.trim() || headers.get('webhook-id')?.trim();
  return key || null;
}
