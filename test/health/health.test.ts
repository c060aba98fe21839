import { env, exports } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../src/config.ts';
import { readyz } from '../../src/health/health.ts';
import { lastRunOf } from '../records.ts';

const get = (path: string, init?: RequestInit) => exports.default.fetch(`https://intake.example${path}`, init);
const readyWith = (changed: Partial<Env>) =>
  readyz(new Request('https://intake.example/readyz'), { ...env, ...changed });

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('healthz() and readyz()', () => {
  test('says that the Worker is alive', async () => {
    const response = await get('/healthz');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'alive' });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  });

  test('says that the service is ready', async () => {
    const response = await get('/readyz?verbose');
    expect(await response.json()).toEqual({
      status: 'ready',
      checks: {
        secrets: 'ok',
        queue: 'ok',
        backlog: 'ok',
        dead_letters: 'ok',
        rejected: 'ok',
        bucket: 'ok',
        published: 'ok',
        watermark: 'ok',
        table: 'ok',
        erasures: 'ok',
      },
      published: {
        last_run_at: null,
        last_good_run_at: null,
        complete_through: null,
        late_events: 0,
        last_late_at: null,
        table_complete_through: null,
      },
    });
    expect(response.status).toBe(200);
  });

  test('says that the publisher has stopped', async () => {
    const started_at = new Date(Date.now() - 20 * 60_000).toISOString();
    await env.BUCKET.put('publish/last-run.json', JSON.stringify(lastRunOf({ started_at })));
    const response = await readyWith({});
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      failed: ['published'],
      checks: { published: expect.stringContaining('has not run for 20 minutes') },
      published: { last_run_at: started_at },
    });
    await env.BUCKET.delete('publish/last-run.json');
  });

  test('answers HEAD as well, and nothing else', async () => {
    expect((await get('/readyz', { method: 'HEAD' })).status).toBe(200);
    const response = await get('/healthz', { method: 'POST', body: '{}' });
    expect(response.status).toBe(405);
    expect(response.headers.get('Allow')).toBe('GET, HEAD');
    expect(response.headers.get('Content-Type')).toBe('application/problem+json');
    expect(await response.json()).toEqual({
      type: expect.stringMatching(/\/problems\/method-not-allowed$/),
      title: 'The method is not allowed',
      status: 405,
      detail: expect.stringContaining('GET'),
      request_id: response.headers.get('x-request-id'),
    });
  });

  test('asks the stores once in five seconds, however many ask', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const list = vi.spyOn(env.BUCKET, 'list');
    const version = { ...env };
    const ask = () => readyz(new Request('https://intake.example/readyz'), version);
    for (let asked = 0; asked < 20; asked++) expect((await ask()).status).toBe(200);
    // What has landed, and what has been published, since there is no table.
    expect(list).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(5_000);
    expect((await Promise.all([ask(), ask(), ask()])).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(list).toHaveBeenCalledTimes(4);
  });

  test('limits how often one address asks', async () => {
    const keys: (string | undefined)[] = [];
    const WRONG_TOKEN_RATE = {
      limit: async ({ key }: { key?: string }) => {
        keys.push(key);
        return { success: false };
      },
    };
    const headers = { 'CF-Connecting-IP': '192.0.2.7' };
    const response = await readyz(new Request('https://intake.example/readyz', { headers }), {
      ...env,
      WRONG_TOKEN_RATE,
    });
    expect(response.status).toBe(429);
    expect(response.headers.get('Retry-After')).toBe('60');
    expect(keys).toEqual(['/readyz 192.0.2.7']);
  });

  test('names the check that failed', async () => {
    const response = await readyWith({ API_TOKEN: ' \n' });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      status: 'not_ready',
      failed: ['secrets'],
      checks: { secrets: 'No token is configured; set API_TOKEN or API_TOKENS', queue: 'ok' },
    });
  });

  test('names no sender and no token when API_TOKENS cannot be read', async () => {
    const response = await readyWith({ API_TOKENS: '{"hotel-a": "a-token-that-stands-where-it-should-not"}' });
    expect(response.status).toBe(503);
    const text = await response.text();
    expect(text).toContain('API_TOKENS cannot be read');
    expect(text).not.toMatch(/hotel-a|a-token/);
  });

  test('answers when a binding is missing', async () => {
    const { BUCKET: _, ...rest } = env;
    const response = await readyz(new Request('https://intake.example/readyz'), rest);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ failed: ['configuration'] });
  });
});
