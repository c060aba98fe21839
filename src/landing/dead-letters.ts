/** Keeps unrecognised messages whole in `dead-letter/`, for a person to look at. */

import type { ObjectCreator } from '../storage/create-object.ts';
import type { DeadLetter } from '../storage/dead-letter.ts';
import { ndjson } from '../storage/line.ts';
import { logError } from '../telemetry/log.ts';
import type { QueueStage } from './schedule.ts';
import { type Delivery, type Settled, writeThenSettle } from './write-then-settle.ts';

/** Writes messages to `dead-letter/` and settles them. */
export async function writeDeadLetters(
  queue: string,
  stage: QueueStage,
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

type Encoded = Pick<DeadLetter, 'body_encoding' | 'body'>;

async function encode(id: string, body: unknown): Promise<Encoded> {
  try {
    const encoded = await encodeBody(body);
    if (encoded.body_encoding !== 'description') return encoded;
    logError('dead_letter_incomplete', new Error('JSON cannot say what the message holds'), { message_id: id });
    return encoded;
  } catch (error) {
    // The other messages must not wait for this one, and a later attempt would not read more of it.
    logError('dead_letter_incomplete', error, { message_id: id });
    return { body_encoding: 'description', body: Object.prototype.toString.call(body) };
  }
}

/**
 * Encodes any message body as text: content type `json` delivers JSON of any depth, `v8` objects of any type.
 *
 * @returns The text as it is; the JSON of a value that JSON can represent; the bytes of a binary value; for anything
 * else, a description of its type.
 */
async function encodeBody(body: unknown): Promise<Encoded> {
  // A text that a line cannot hold unchanged is written as JSON instead, which keeps its escapes.
  if (typeof body === 'string' && body.isWellFormed() && !body.includes('\0')) return { body_encoding: 'text', body };
  const json = jsonOf(body);
  if (json !== undefined) return { body_encoding: 'json', body: json };
  const bytes = await bytesOf(body);
  if (bytes !== undefined) return { body_encoding: 'base64', body: bytes.toBase64() };
  const tag = Object.prototype.toString.call(body);
  return { body_encoding: 'description', body: typeof body === 'object' ? tag : `${tag} ${String(body)}` };
}

/** The bytes of a buffer, a view, a Blob or a Request. Undefined for anything else. */
async function bytesOf(value: unknown): Promise<Uint8Array | undefined> {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof Blob || value instanceof Request) return new Uint8Array(await value.arrayBuffer());
  return undefined;
}

/**
 * Serialises a value without recursion, since a message may hold JSON of any depth. Undefined when JSON cannot
 * represent all of it: an object that occurs twice would be written twice, and a cycle would never end.
 */
function jsonOf(value: unknown): string | undefined {
  const seen = new Set<object>();
  const text: string[] = [];
  const rest: ({ readonly text: string } | { readonly value: unknown })[] = [{ value }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if ('text' in next) {
      text.push(next.text);
      continue;
    }
    const { value: item } = next;
    if (typeof item !== 'object' || item === null) {
      if (!isScalar(item)) return undefined;
      // JSON can express -0, which JSON.stringify writes as 0.
      text.push(Object.is(item, -0) ? '-0' : JSON.stringify(item));
      continue;
    }
    const members = ownMembers(item);
    if (members === undefined || seen.has(item)) return undefined;
    seen.add(item);
    const [open, close] = Array.isArray(item) ? '[]' : '{}';
    rest.push({ text: close ?? '' });
    for (const [at, [name, member]] of [...members.entries()].reverse()) {
      rest.push({ value: member }, { text: `${at === 0 ? '' : ','}${name}` });
    }
    rest.push({ text: open ?? '' });
  }
  return text.join('');
}

function isScalar(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || typeof value === 'string' || typeof value === 'boolean';
}

/** The members of an array or plain object, each with the text before its value. Undefined for any other object. */
function ownMembers(value: object): (readonly [before: string, value: unknown])[] | undefined {
  const own = Object.entries(value);
  if (Array.isArray(value)) {
    const isWhole = own.length === value.length && own.every(([name]) => /^\d+$/.test(name));
    return isWhole ? value.map((member) => ['', member]) : undefined;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  return own.map(([name, member]) => [`${JSON.stringify(name)}:`, member]);
}
