/** Messages that cannot be landed, kept whole in `dead-letter/` for somebody to look at and replay. */

import type { ObjectCreator } from '../storage/create-object.ts';
import type { DeadLetter } from '../storage/dead-letter.ts';
import { ndjson } from '../storage/line.ts';
import { readCargo } from './cargo.ts';
import { type Delivery, type Settled, writeThenSettle } from './write-then-settle.ts';

/** Writes messages to `dead-letter/` and settles them. */
export async function bury(queue: string, deliveries: readonly Delivery[], bucket: ObjectCreator): Promise<Settled> {
  const items = deliveries.map((delivery) => ({
    delivery,
    line: ndjson(deadLetter(queue, delivery)),
    receivedAt: readCargo(delivery.body)?.receivedAt ?? delivery.timestamp,
  }));
  return writeThenSettle(bucket, 'dead-letter', items);
}

function deadLetter(queue: string, { id, attempts, timestamp, body }: Delivery): DeadLetter {
  return {
    message_id: id,
    queue,
    attempts,
    enqueued_at: timestamp.toISOString(),
    buried_at: new Date().toISOString(),
    reason: readCargo(body) === undefined ? 'not_a_line' : 'attempts_exhausted',
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
