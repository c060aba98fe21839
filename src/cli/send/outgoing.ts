/** The events to send, and their idempotency keys. Pure. */

import { createHash } from 'node:crypto';
import { fieldMeant } from '../../contract/names.ts';
import { parseOrUndefined } from '../../json/parse-plainly.ts';

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
}

/** Derives keys from the content of events and numbers equal ones: lines may be added or removed between runs. */
export async function* withKeys(bodies: AsyncIterable<EventText>): AsyncGenerator<Outgoing> {
  const seen = new Map<string, number>();
  for await (const { line, body } of bodies) {
    const digest = createHash('sha256').update(body).digest('hex').slice(0, 32);
    const times = (seen.get(digest) ?? 0) + 1;
    seen.set(digest, times);
    yield { line, body, key: `${digest}-${times}`, reservation: reservationOf(body) };
  }
}

/** The reservation of an event. Equal ids of two hotels count as one: that costs a little speed and no order. */
function reservationOf(body: string): string | undefined {
  const event = membersIn(body);
  const named = Object.keys(event).filter((name) => fieldMeant(name)?.wire === 'ReservationId');
  // The exact name takes precedence, as it does in the service.
  const ids = ['ReservationId', ...named].map((name) => String(event[name] ?? '').trim());
  return ids.find((id) => id !== '');
}

/** The members of an object; empty for any other text, since the service explains best what is wrong with it. */
function membersIn(text: string): Readonly<Record<string, unknown>> {
  const value = parseOrUndefined(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
