/** Requests that came without TLS, from the address to the alarm. */

import { createExecutionContext, reset, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Env, loadConfig } from '../../src/config.ts';
import worker from '../../src/index.ts';
import { isWithoutTls } from '../../src/intake/without-tls.ts';
import { notify } from '../../src/notify/notify.ts';
import { clockAt } from '../clock.ts';
import { FULL_EVENT } from '../sample.ts';

const TOKEN = 'the-token-of-hotel-a-and-nothing-else';

afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

describe('isWithoutTls()', () => {
  test.each([
    ['http://intake.example/api', true],
    ['http://localhost.example/', true],
    ['http://127.0.0.1.example/', true],
    ['http://192.168.1.5:8787/', true],
    ['https://intake.example/http://', false],
    ['http://localhost:8787/api', false],
    ['http://127.0.0.1:8787/', false],
    ['http://[::1]:8787/', false],
  ])('%s: %j', (url, expected) => {
    expect(isWithoutTls(url)).toBe(expected);
  });
});

/** A version of the Worker whose data points and log lines are kept. */
function versionWith(points: AnalyticsEngineDataPoint[]): Env {
  return {
    ...env,
    API_TOKENS: JSON.stringify({ 'hotel-a': { tokens: ['the-other-token-of-hotel-a-and-nothing-else', TOKEN] } }),
    METRICS: { writeDataPoint: (point = {}) => void points.push(point) },
  };
}

async function post(path: string, version: Env, token: string): Promise<{ response: Response; request: Request }> {
  const request = new Request(`http://intake.example${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify(FULL_EVENT),
  });
  const context = createExecutionContext();
  const response = await worker.fetch(request, version, context);
  await waitOnExecutionContext(context);
  return { response, request };
}

describe('withoutTls()', () => {
  test.each(['/api/1.1/wf/reservation', '/api/1.1/wf/reservation/batch', '/status.json', '/'])(
    'refuses what comes to %s and leaves the body unread',
    async (path) => {
      const { response, request } = await post(path, env, TOKEN);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ type: '/problems/https-required', status: 403 });
      expect(request.bodyUsed).toBe(false);
      expect((await env.BUCKET.list()).objects).toEqual([]);
    },
  );

  test('says whose token was shown in log line, data point and alarm, and nothing of the token', async () => {
    const lines = vi.spyOn(console, 'log');
    const points: AnalyticsEngineDataPoint[] = [];
    const version = versionWith(points);
    await post('/api/1.1/wf/reservation', version, TOKEN);
    await post('/api/1.1/wf/reservation', version, 'a-token-that-nobody-has-and-nothing-else');
    const logged = JSON.stringify(lines.mock.calls);
    expect(logged).toContain('without_tls');
    expect(logged).toContain('hotel-a');
    expect(logged).not.toContain(TOKEN);
    expect(points.map(({ blobs = [] }) => blobs.slice(0, 3))).toEqual([
      ['request', 'without_tls', 'hotel-a'],
      ['request', 'without_tls', ''],
    ]);

    const posts: string[] = [];
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
      posts.push(JSON.parse(String(init?.body)).text);
      return new Response('ok');
    });
    const config = await loadConfig({ ...version, ALERT_WEBHOOK: 'https://chat.example/hook' });
    for (const minute of [1, 2]) await notify(config, clockAt(Date.now() + minute * 60_000));
    expect(posts).toEqual([
      expect.stringMatching(/RAISED shown_tokens: Tokens came over http.*: token 2 of hotel-a, last/),
    ]);
    expect(posts.join()).not.toContain(TOKEN);
  });

  test('writes a token down once an hour, whatever comes', async () => {
    const put = vi.spyOn(env.BUCKET, 'put');
    const version = versionWith([]);
    for (let at = 0; at < 3; at += 1) await post('/api/1.1/wf/reservation', version, TOKEN);
    expect(put).toHaveBeenCalledTimes(1);
  });

  test('writes down each token of each sender', async () => {
    const senders = {
      'hotel-a': { tokens: ['the-first-token-of-hotel-a-and-no-more', TOKEN] },
      'hotel-b': { tokens: ['the-first-token-of-hotel-b-and-no-more'] },
    };
    const version = { ...env, API_TOKENS: JSON.stringify(senders) };
    const put = vi.spyOn(env.BUCKET, 'put');
    const tokens = Object.values(senders).flatMap((sender) => sender.tokens);
    for (const token of tokens) await post('/api/1.1/wf/reservation', version, token);
    expect(put).toHaveBeenCalledTimes(tokens.length);
  });

  test('writes it down with the next request when R2 has not taken it', async () => {
    const put = vi.spyOn(env.BUCKET, 'put').mockRejectedValueOnce(new Error('R2 is down'));
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const version = versionWith([]);
    for (let at = 0; at < 3; at += 1) await post('/api/1.1/wf/reservation', version, TOKEN);
    expect(put).toHaveBeenCalledTimes(2);
    expect(errors.mock.calls).toEqual([
      [expect.objectContaining({ event: 'shown_token_not_kept', sender: 'hotel-a', token: 2 })],
    ]);
  });

  test('refuses also when the configuration cannot be read', async () => {
    const { response } = await post('/api/1.1/wf/reservation', { ...env, BUCKET: undefined } as unknown as Env, TOKEN);
    expect(response.status).toBe(403);
  });
});
