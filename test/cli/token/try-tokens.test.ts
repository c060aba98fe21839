/** Asking a service that changes its mind, over real HTTP on this machine. */

import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitUntil } from '../../../src/cli/token/try-tokens.ts';
import { listen } from '../listen.ts';

/** The statuses that the service answers, one after another; then the last one again and again. */
let statuses: number[];
let asked: { url: string | undefined; authentication: string | string[] | undefined; body: string }[];
let origin: string;
let server: Server;

beforeEach(async () => {
  asked = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ url: request.url, authentication: request.headers.authentication, body });
    response.writeHead((statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 500).end();
  });
  origin = await listen(server);
});

afterEach(() => {
  server.close();
});

const never = new AbortController().signal;

test('`waitUntil()` asks with a check that stores nothing, until the answer has stayed the same', async () => {
  statuses = [401, 422, 401, 503, 422, 403, 422];
  await waitUntil('accepted', 'new', origin, never, 0);
  expect(asked).toHaveLength(7);
  expect(new Set(asked.map((request) => JSON.stringify(request)))).toEqual(
    new Set([JSON.stringify({ url: '/api/1.1/wf/reservation?check', authentication: 'Bearer new', body: '{}' })]),
  );
  statuses = [422, 401, 401, 401];
  await waitUntil('refused', 'old', origin, never, 0);
  expect(asked).toHaveLength(11);
});

test.each([
  ['accepted', 401, /^The new token does not work: after 60 tries http:\S+ answers 401/],
  ['accepted', 429, 'answers 429'],
  ['refused', 422, /^The revoked token is not refused: after 60 tries \S+ answers 422/],
  ['refused', 503, 'answers 503'],
] as const)('`waitUntil()` gives up on %s after a minute of %s', async (wanted, status, message) => {
  statuses = [status];
  await expect(waitUntil(wanted, 'a', origin, never, 0)).rejects.toThrow(message);
  expect(asked).toHaveLength(60);
});

test('`waitUntil()` says that nobody answers', async () => {
  server.close();
  await expect(waitUntil('accepted', 'a', origin, never, 0)).rejects.toThrow('does not answer');
});
