/** Unrecognised messages, kept whole in `dead-letter/` for a person to look at. */

import type { ObjectCreator } from '../storage/create-object.ts';
import type { DeadLetter } from '../storage/dead-letter.ts';
import { ndjson } from '../storage/line.ts';
import { logError } from '../telemetry/log.ts';
import { encodeBody } from './encode-body.ts';
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
    ...(await encode(id, body)),
  };
}

async function encode(id: string, body: unknown): Promise<Pick<DeadLetter, 'body_encoding' | 'body'>> {
  try {
    const encoded = await encodeBody(body);
    if (encoded.body_encoding !== 'description') return encoded;
    logError('dead_letter_incomplete', new Error('JSON cannot say what the message holds'), { message_id: id });
    return encoded;
  } catch (error) {
    // Its neighbours must not wait for it, and no later attempt would read more of it.
    logError('dead_letter_incomplete', error, { message_id: id });
    return { body_encoding: 'description', body: Object.prototype.toString.call(body) };
  }
}
