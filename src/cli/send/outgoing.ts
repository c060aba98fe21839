/** An event on its way out. Pure. */

import { createHash } from 'node:crypto';
import { fieldMeant } from '../../contract/names.ts';

/** The text of an event, and its place in the input. */
export interface EventText {
  /** Its place in the input from 1: the line, or in an array the number of the event. */
  readonly line: number;
  /** The JSON text, exactly as it is sent, without a line break. */
  readonly body: string;
}

/** One event to send. */
export interface Outgoing extends EventText {
  /** The Idempotency-Key: the same whenever the same input is sent again. */
  readonly key: string;
  /** The ReservationId, or undefined when the event names none or is no JSON object. */
  readonly reservation: string | undefined;
}

/**
 * Names each event by its content, and equal ones by how many came before, so that an input may grow or lose lines
 * between two runs.
 */
export async function* withKeys(bodies: AsyncIterable<EventText>): AsyncGenerator<Outgoing> {
  const seen = new Map<string, number>();
  for await (const { line, body } of bodies) {
    const digest = createHash('sha256').update(body).digest('hex').slice(0, 32);
    const times = (seen.get(digest) ?? 0) + 1;
    seen.set(digest, times);
    yield { line, body, key: `${digest}-${times}`, reservation: reservationOf(body) };
  }
}

/** Two reservations that share an id, in two hotels, count as one: it costs a little speed and no order. */
function reservationOf(body: string): string | undefined {
  const event = parseObject(body);
  const named = Object.keys(event).filter((name) => fieldMeant(name)?.wire === 'ReservationId');
  // The exact name counts first, as it does for the service.
  const ids = ['ReservationId', ...named].map((name) => String(event[name] ?? '').trim());
  return ids.find((id) => id !== '');
}

/** The members of an object; none when the text is something else, which the service says best. */
function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
