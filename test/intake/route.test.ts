import { createExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import worker from '../../src/index.ts';
import { ENDPOINT } from '../post.ts';
import { SMALL_EVENT } from '../sample.ts';

const AUTHENTICATION = { Authentication: 'Bearer test-token' };

function send(url: string, init: RequestInit = {}) {
  return exports.default.fetch(url, {
    method: 'POST',
    headers: AUTHENTICATION,
    body: JSON.stringify(SMALL_EVENT),
    ...init,
  });
}

describe('the Worker, at the endpoint and elsewhere', () => {
  test.each([ENDPOINT, `${ENDPOINT}/`, `${ENDPOINT}?utm_source=pms`])('takes an event at %s', async (url) => {
    const response = await send(url);
    expect(response.status).toBe(202);
    expect(Object.fromEntries(response.headers)).toEqual({ 'content-type': 'application/json' });
    expect(await response.json()).toEqual({
      status: 'success',
      response: {
        event_id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/),
        received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        warnings: [],
      },
    });
  });

  test('answers OPTIONS with the methods that there are', async () => {
    const { status, headers } = await send(ENDPOINT, { method: 'OPTIONS', body: null });
    const said = { allow: 'POST, OPTIONS', 'cache-control': 'no-store', 'x-request-id': expect.any(String) };
    expect([status, Object.fromEntries(headers)]).toEqual([204, said]);
  });

  test.each([
    ['another path', `${ENDPOINT}s`, {}, 404, {}],
    ['another case', 'https://intake.example/API/1.1/WF/Reservation', {}, 404, {}],
    ['GET', ENDPOINT, { method: 'GET', body: null }, 405, { allow: 'POST, OPTIONS' }],
    ['HEAD', ENDPOINT, { method: 'HEAD', body: null }, 405, { allow: 'POST, OPTIONS' }],
    ['PUT', ENDPOINT, { method: 'PUT' }, 405, { allow: 'POST, OPTIONS' }],
    ['DELETE', ENDPOINT, { method: 'DELETE' }, 405, { allow: 'POST, OPTIONS' }],
    ['no token', ENDPOINT, { headers: {} }, 401, { 'www-authenticate': 'Bearer' }],
    [
      'a wrong token and a bad body',
      ENDPOINT,
      { headers: { Authentication: 'Bearer wrong' }, body: '{not json' },
      401,
      {},
    ],
    ['no JSON', ENDPOINT, { body: '{not json' }, 415, {}],
    [
      'an unknown encoding',
      ENDPOINT,
      { headers: { ...AUTHENTICATION, 'Content-Encoding': 'br' } },
      415,
      { 'accept-encoding': 'gzip' },
    ],
    ['a large body', ENDPOINT, { body: 'x'.repeat(70_000) }, 413, {}],
    ['a broken contract', ENDPOINT, { body: '{}' }, 422, {}],
  ])('refuses %s', async (what, url, init: RequestInit, status, headers) => {
    const response = await send(url, init);
    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/problem+json',
      ...headers,
    });
    if (what === 'HEAD') return;
    expect(await response.json()).toMatchObject({
      type: expect.stringMatching(/^\/problems\/[a-z-]+$/),
      title: expect.any(String),
      status,
      detail: expect.any(String),
      request_id: response.headers.get('x-request-id'),
    });
  });

  test('names every fault, and where and what is allowed', async () => {
    const response = await send(ENDPOINT, {
      body: JSON.stringify({ ...SMALL_EVENT, EventType: 'guest-secret', PropertyId: null }),
    });
    const text = await response.text();
    expect(text).not.toContain('guest-secret');
    expect(JSON.parse(text)).toMatchObject({
      status: 422,
      errors: [
        {
          field: 'PropertyId',
          pointer: '/PropertyId',
          code: 'missing',
          detail: expect.stringContaining('PropertyId is required'),
        },
        {
          field: 'EventType',
          pointer: '/EventType',
          code: 'not_allowed',
          allowed: expect.arrayContaining(['ReservationCanceled']),
        },
      ],
    });
  });

  test('refuses an event whose line would not fit into the queue', async () => {
    // Each of these quotes takes four bytes when it is stored in extra.
    const response = await send(ENDPOINT, { body: JSON.stringify({ ...SMALL_EVENT, Unknown: '"'.repeat(32_000) }) });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining('when it is stored') });
  });

  test('asks to come back when it is broken, and says in the log why', async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { BUCKET: _, ...rest } = env;
    const request = new Request(ENDPOINT, { method: 'POST', headers: AUTHENTICATION, body: '{}' });
    const response = await worker.fetch(request, rest, createExecutionContext());
    expect(response?.status).toBe(503);
    expect(response?.headers.get('Retry-After')).toBe('30');
    expect(response?.headers.get('Content-Type')).toBe('application/problem+json');
    expect(JSON.stringify(errors.mock.calls)).toMatch(/"request_broken".*BUCKET is missing/);
    errors.mockRestore();
  });

  test('is closed without a token in the configuration', async () => {
    const unset = { ...env, API_TOKEN: ' \r\n', API_TOKEN_NEXT: '' };
    for (const headers of [{}, { Authentication: 'Bearer' }, { Authentication: 'Bearer undefined' }]) {
      const request = new Request<unknown, IncomingRequestCfProperties>(ENDPOINT, {
        method: 'POST',
        headers,
        body: '{}',
      });
      const response = await worker.fetch(request, unset, createExecutionContext());
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
    }
  });
});
