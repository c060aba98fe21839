/** The events to send, and their idempotency keys. Pure. */

import { createHash } from 'node:crypto';
import { fieldMeant } from '../../contract/names.ts';
import { parseOrUndefined } from '../../json/parse-plainly.ts';
import { batchLine } from './batch.ts';

/** The text of an event and its position in the input. */
export interface EventText {
  /** Position in the input, from 1: the line, or the element of an array. */
  readonly line: number;
  /** The JSON text exactly as sent, without a line break. */
  readonly body: string;
}

export interface Outgoing extends EventText {
  /** The Idempotency-Key: the same every time this input is sent. */
  readonly key: string;
  /** The ReservationId; undefined if the event has none or is not a JSON object. */
  readonly reservation: string | undefined;
  /**
   * Bytes of the event in a batch; infinite for text that is not JSON. That is sent alone, so that the answer gives its
   * own line and column.
   */
  readonly bytes: number;
}

/** Derives keys from the content of events and numbers equal ones: lines may be added or removed between runs. */
export async function* withKeys(bodies: AsyncIterable<EventText>): AsyncGenerator<Outgoing> {
  const seen = new Map<string, number>();
  for await (const { line, body } of bodies) {
    const digest = createHash('sha256').update(body).digest('hex').slice(0, 32);
    const times = (seen.get(digest) ?? 0) + 1;
    seen.set(digest, times);
    const key = `${digest}-${times}`;
    const value = parseOrUndefined(body);
    const bytes = value === undefined ? Number.POSITIVE_INFINITY : Buffer.byteLength(batchLine({ key, body }));
    yield { line, body, key, bytes, reservation: reservationOf(value) };
  }
}

/** The reservation of an event. Equal ids of two hotels count as one: that costs a little speed and no order. */
function reservationOf(value: unknown): string | undefined {
  // The service explains best what is wrong with anything but an object.
  if (typeof value !== 'object' || value === null) return undefined;
  const event: Readonly<Record<string, unknown>> = { ...value };
  const named = Object.keys(event).filter((name) => fieldMeant(name)?.wire === 'ReservationId');
  // The exact name takes precedence, as it does in the service.
  const ids = ['ReservationId', ...named].map((name) => String(event[name] ?? '').trim());
  return ids.find((id) => id !== '');
}
