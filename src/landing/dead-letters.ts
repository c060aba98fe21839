/** Foreign messages, kept whole in `dead-letter/` for a person to look at. */

import type { ObjectCreator } from '../storage/create-object.ts';
import type { DeadLetter } from '../storage/dead-letter.ts';
import { ndjson } from '../storage/line.ts';
import { logError } from '../telemetry/log.ts';
import { encodeValue } from './encode-value.ts';
import type { Stage } from './schedule.ts';
import { type Delivery, type Settled, writeThenSettle } from './write-then-settle.ts';

/** Writes messages to `dead-letter/` and settles them. */
export async function writeDeadLetters(
  queue: string,
  stage: Stage,
  deliveries: readonly Delivery[],
  bucket: ObjectCreator,
): Promise<Settled> {
  const items = await Promise.all(
    deliveries.map(async (delivery) => ({
      delivery,
      lines: [ndjson(await deadLetter(queue, delivery))],
      receivedAt: delivery.timestamp,
    })),
  );
  return writeThenSettle(bucket, 'dead-letter', stage, items);
}

async function deadLetter(queue: string, { id, attempts, timestamp, body }: Delivery): Promise<DeadLetter> {
  return {
    message_id: id,
    queue,
    attempts,
    enqueued_at: timestamp.toISOString(),
    dead_lettered_at: new Date().toISOString(),
    reason: 'not_a_line',
    ...(await encode(id, body)),
  };
}

type Encoded = Pick<DeadLetter, 'body_encoding' | 'body'>;

async function encode(id: string, body: unknown): Promise<Encoded> {
  // A text that a line cannot carry unchanged keeps its escapes one level down, as JSON.
  if (typeof body === 'string' && body.isWellFormed() && !body.includes('\0')) return { body_encoding: 'text', body };
  if (body instanceof ArrayBuffer) return { body_encoding: 'base64', body: new Uint8Array(body).toBase64() };
  if (body instanceof Uint8Array) return { body_encoding: 'base64', body: body.toBase64() };
  try {
    return await encodeValue(body);
  } catch (error) {
    // Its neighbours must not wait for it, and no later attempt would read more of it.
    logError('dead_letter_incomplete', error, { message_id: id });
    return { body_encoding: 'description', body: Object.prototype.toString.call(body) };
  }
}
