/** Messages that cannot be landed, kept whole in `dead-letter/` for somebody to look at and replay. */

import { log } from '../log.ts';
import type { ObjectCreator } from '../storage/create-object.ts';
import { timeOf } from '../storage/event-id.ts';
import { eventIdOf, isLine, ndjson } from '../storage/line.ts';
import { type Delivery, writeThenSettle } from './write-then-settle.ts';

/** A message as it is kept. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface DeadLetter {
  readonly message_id: string;
  /** The queue that delivered the message last. */
  readonly queue: string;
  /** Deliveries by that queue. */
  readonly attempts: number;
  readonly enqueued_at: string;
  readonly buried_at: string;
  readonly reason: 'attempts_exhausted' | 'not_a_line';
  /** How to read `body`: a text as it was, the Base64 of bytes, or the JSON of any other value. */
  readonly body_encoding: 'text' | 'base64' | 'json';
  readonly body: string;
}

/** Writes messages to `dead-letter/` and settles them. */
export async function bury(queue: string, deliveries: readonly Delivery[], bucket: ObjectCreator): Promise<void> {
  if (deliveries.length === 0) return;
  const items = deliveries.map((delivery) => {
    const { body, timestamp } = delivery;
    return {
      delivery,
      line: ndjson(deadLetter(queue, delivery)),
      receivedAt: isLine(body) ? timeOf(eventIdOf(body)) : timestamp,
    };
  });
  const objects = await writeThenSettle(bucket, 'dead-letter', items);
  log('buried', { queue, messages: deliveries.length, objects });
}

function deadLetter(queue: string, { id, attempts, timestamp, body }: Delivery): DeadLetter {
  return {
    message_id: id,
    queue,
    attempts,
    enqueued_at: timestamp.toISOString(),
    buried_at: new Date().toISOString(),
    reason: isLine(body) ? 'attempts_exhausted' : 'not_a_line',
    ...encode(body),
  };
}

function encode(body: unknown): Pick<DeadLetter, 'body_encoding' | 'body'> {
  // A text that a line cannot carry unchanged keeps its escapes one level down, as JSON.
  if (typeof body === 'string' && body.isWellFormed() && !body.includes('\0')) return { body_encoding: 'text', body };
  if (body instanceof ArrayBuffer) return { body_encoding: 'base64', body: new Uint8Array(body).toBase64() };
  if (body instanceof Uint8Array) return { body_encoding: 'base64', body: body.toBase64() };
  return { body_encoding: 'json', body: JSON.stringify(body) ?? String(body) };
}
