import { describe, expect, test } from 'vitest';
import { identifiersOfLine } from '../../src/guests/line-identifiers.ts';
import { encodeValue } from '../../src/landing/encode-value.ts';
import type { DeadLetter } from '../../src/storage/dead-letter.ts';
import { ndjson } from '../../src/storage/line.ts';
import type { Rejection } from '../../src/storage/rejection.ts';
import { sampleRow } from '../sample-row.ts';

const EVENT = {
  IntegrationId: 'int-1',
  PropertyId: 'hotel-1',
  EventType: 'ReservationConfirmed',
  ReservationState: 'Confirmed',
  AssignedResourceNumber: '101',
  StartUtc: '2026-07-10T14:00:00Z',
  EndUtc: '2026-07-14T10:00:00Z',
  CustomerId: 'cust-20733',
  Email: 'Amelie.Novak@example.com',
};
const BODY = JSON.stringify(EVENT);
const ROW = ndjson(sampleRow(EVENT, '019e3b9d-9d90-7c3e-9a54-2b6f0c81d7e4'));

const encode = (text: string) => new TextEncoder().encode(text);
const base64 = (bytes: Uint8Array) => ({ body_encoding: 'base64', body: bytes.toBase64() }) as const;

async function packed(text: string, format: 'gzip' | 'deflate'): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function utf16(text: string): Uint8Array {
  return new Uint8Array(Uint16Array.from(text, (char) => char.charCodeAt(0)).buffer);
}

function rejected(body: Pick<Rejection, 'body' | 'body_encoding'> & Partial<Rejection>): string {
  return ndjson({
    rejection_id: '019e3b9d-9d90-7c3e-9a54-2b6f0c81d7e5',
    rejected_at: '2026-05-18T15:04:05.776Z',
    sender: 'opera',
    status: 422,
    problem: 'contract',
    reason: 'contract',
    errors: [],
    content_type: null,
    content_encoding: null,
    idempotency_key: null,
    body_fingerprint: '0'.repeat(32),
    truncated: false,
    ...body,
  } satisfies Rejection);
}

function buried(body: Pick<DeadLetter, 'body' | 'body_encoding'>): string {
  return ndjson({
    message_id: 'a1',
    queue: 'reservation-events',
    attempts: 1,
    enqueued_at: '2026-05-18T15:04:05.776Z',
    dead_lettered_at: '2026-05-18T15:04:05.776Z',
    reason: 'not_a_line',
    ...body,
  } satisfies DeadLetter);
}

describe('identifiersOfLine()', () => {
  const whole = async () => {
    const gzip = await packed(BODY, 'gzip');
    return { gzip, deflate: await packed(BODY, 'deflate') };
  };

  test.each<[string, () => string | Promise<string>]>([
    ['an event', () => ROW],
    ['a refused text', () => rejected({ body_encoding: 'text', body: BODY })],
    ['refused bytes', () => rejected(base64(encode(`${BODY}\0`)))],
    ['a refused body of UTF-16', () => rejected(base64(utf16(BODY)))],
    ['a refused body of Latin-1', () => rejected(base64(Uint8Array.of(...encode(BODY), 0xe9)))],
    ['a packed body', async () => rejected({ ...base64((await whole()).gzip), content_encoding: 'gzip' })],
    ['a packed body that does not say so', async () => rejected(base64((await whole()).gzip))],
    [
      'a packed body of the other kind',
      async () => rejected({ ...base64((await whole()).deflate), content_encoding: 'deflate' }),
    ],
    ['a message of bytes', () => buried(base64(encode(BODY)))],
    ['a message of JSON', () => buried({ body_encoding: 'json', body: BODY })],
    ['a message of a Map', async () => buried(await encodeValue({ guests: new Map(Object.entries(EVENT)) }))],
    [
      'a message with a cycle',
      async () => {
        const value: Record<string, unknown> = { ...EVENT };
        value.self = value;
        return buried(await encodeValue(value));
      },
    ],
    ['a message with bytes in it', async () => buried(await encodeValue({ is: 1n, bytes: encode(BODY) }))],
    ['an event among the dead letters', () => buried({ body_encoding: 'text', body: ROW })],
    [
      'a refused body among the dead letters',
      () => buried({ body_encoding: 'text', body: rejected(base64(encode(BODY))) }),
    ],
    ['a line that is cut off', () => ROW.slice(0, -20)],
  ])('finds the guest of %s', async (_, line) => {
    const found = await identifiersOfLine(await line());
    expect(found).toContain('email:amelie.novak@example.com');
    expect(found).toContain('customer_id:cust-20733');
  });

  test('finds the guest in the beginning of a packed body', async () => {
    const long = await packed(BODY + JSON.stringify(Array.from({ length: 20_000 }, () => crypto.randomUUID())), 'gzip');
    const line = rejected({ ...base64(long.subarray(0, 65_536)), content_encoding: 'gzip', truncated: true });
    expect(await identifiersOfLine(line)).toContain('email:amelie.novak@example.com');
  });

  test('takes the ids of a refused body for those of its sender', async () => {
    expect(await identifiersOfLine(rejected({ body_encoding: 'text', body: BODY }))).toContain(
      'customer_id@opera:cust-20733',
    );
  });

  test('looks into the idempotency key', async () => {
    const line = rejected({ body_encoding: 'text', body: '{}', idempotency_key: 'amelie.novak@example.com' });
    expect(await identifiersOfLine(line)).toContain('email:amelie.novak@example.com');
  });
});
