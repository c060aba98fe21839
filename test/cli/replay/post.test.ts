import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createPost } from '../../../src/cli/replay/post.ts';
import type { Rejection } from '../../../src/storage/rejection.ts';
import { listen } from '../listen.ts';

const REJECTION: Rejection = {
  rejection_id: '019ca8b4-3000-7000-8000-000000000002',
  rejected_at: '2026-03-01T09:10:00.000Z',
  sender: 'default',
  status: 422,
  problem: 'invalid-event',
  reason: 'invalid_event',
  errors: [],
  content_type: 'application/json',
  content_encoding: null,
  idempotency_key: 'delivery-7',
  body_fingerprint: '00000000000000000000000000000001',
  truncated: false,
  body_encoding: 'base64',
  body: Buffer.from([0xff, 0x00]).toString('base64'),
};

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Prepares posting to a server that answers like this. */
async function postTo(listener: RequestListener, timeoutMs: number) {
  server = createServer(listener);
  const endpoint = `${await listen(server)}/`;
  return createPost(endpoint, 't', new AbortController().signal, timeoutMs);
}

test.each<[string, RequestListener]>([
  ['nothing', () => undefined],
  ['half an answer', (_, response) => response.writeHead(202, { 'Content-Length': '9' }).write('{')],
])('`createPost()` gives up a service that answers %s', async (_, listener) => {
  const post = await postTo(listener, 50);
  await expect(post(REJECTION, 'send')).rejects.toThrow(/does not answer; .* run the command again/);
});

test('`createPost()` sends the bytes as they came, and when they came', async () => {
  const received = Promise.withResolvers<unknown>();
  const post = await postTo(async (request, response) => {
    const { authentication, 'ce-time': time, 'idempotency-key': key } = request.headers;
    received.resolve({ authentication, time, key, url: request.url, body: Buffer.concat(await request.toArray()) });
    response.writeHead(202).end('{"response":{"event_id":"e1"}}');
  }, 10_000);
  expect(await post(REJECTION, 'check')).toMatchObject({ status: 202, eventId: 'e1' });
  expect(await received.promise).toEqual({
    authentication: 'Bearer t',
    time: '2026-03-01T09:10:00.000Z',
    key: 'delivery-7',
    url: '/?check',
    body: Buffer.from([0xff, 0x00]),
  });
});
