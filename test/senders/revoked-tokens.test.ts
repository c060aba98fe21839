/** Revoking, with the real R2 of workerd and a clock that is set. */

import { createExecutionContext, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../src/config.ts';
import { batchEndpoint, endpoint } from '../../src/intake/route.ts';
import { followRevoked, parseRevoked, REVOKED_KEY } from '../../src/senders/revoked-tokens.ts';
import { statusJson } from '../../src/status/status.ts';
import { letASecondPass } from '../clock.ts';
import { SMALL_EVENT } from '../sample.ts';

const TOKENS = ['first', 'second', 'other'].map((name) => `the-${name}-token-of-some-hotel-or-other`);
const [FIRST = '', SECOND = '', OTHER = ''] = TOKENS;
const NOW = new Date('2026-11-29T12:00:00.000Z').getTime();
const AGE_MS = 30_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await reset();
});

async function digestOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return `sha256:${new Uint8Array(digest).toHex()}`;
}

/** Writes the list as `npm run token -- revoke` does. */
async function revoke(...tokens: readonly string[]): Promise<void> {
  const digests = await Promise.all(tokens.map(digestOf));
  const revoked = digests.map((digest) => ({ digest, revoked_at: '2026-11-29T12:00:00.000Z' }));
  await env.BUCKET.put(REVOKED_KEY, JSON.stringify({ revoked }));
}

/** A version of the Worker in an isolate of its own, with the secrets of its day. */
function versionWith(secrets: Partial<Env>): Env {
  const { SENDER_RATE: _, WRONG_TOKEN_RATE: __, ...bindings } = env;
  return { ...bindings, API_TOKEN: '', API_TOKEN_NEXT: '', API_TOKENS: '', ...secrets };
}

const listOf = (...tokens: readonly string[]) => ({ API_TOKENS: JSON.stringify({ 'hotel-a': { tokens } }) });

async function statusOf(version: Env, token: string, post = endpoint, query = ''): Promise<number> {
  const request = new Request(`https://intake.example/api/1.1/wf/reservation${query}`, {
    method: 'POST',
    headers: { Authentication: `Bearer ${token}` },
    body: JSON.stringify(post === endpoint ? SMALL_EVENT : [SMALL_EVENT]),
  });
  return (await post(request, version, createExecutionContext())).status;
}

describe.each<[string, (...tokens: readonly string[]) => Partial<Env>]>([
  ['a named sender', listOf],
  ['API_TOKEN', (API_TOKEN = '', API_TOKEN_NEXT = '') => ({ API_TOKEN, API_TOKEN_NEXT })],
])('a revoked token of %s is refused within 30 s', (_, secretsOf) => {
  /** Secrets of the versions that have traffic, the token that is revoked among them, in each state of a deployment. */
  test.each<[string, readonly Partial<Env>[]]>([
    ['the newest version, from which it was not taken', [secretsOf(FIRST, SECOND)]],
    ['the newest version, whose list shrank to another secret', [{ ...secretsOf(SECOND), ...moved() }]],
    ['an older version after a rollback', [secretsOf(FIRST)]],
    ['two versions during a gradual deployment', [secretsOf(FIRST), secretsOf(SECOND, FIRST)]],
    ['two versions with a third above them', [secretsOf(FIRST), secretsOf(FIRST, SECOND)]],
    ['a version that was only uploaded, at its own address', [secretsOf(FIRST)]],
  ])('by %s', async (_, secrets) => {
    const versions = secrets.map(versionWith);
    for (const version of versions) expect(await statusOf(version, FIRST)).toBe(202);
    await revoke(FIRST);
    vi.setSystemTime(NOW + AGE_MS);
    for (const version of versions) {
      // The first request of an isolate after 30 s, and those that follow.
      expect(await statusOf(version, FIRST)).toBe(401);
      expect(await statusOf(version, FIRST)).toBe(401);
      expect(await statusOf(version, FIRST, batchEndpoint)).toBe(401);
    }
    // An isolate that starts now, and a version that is made of an old one.
    for (const post of [endpoint, batchEndpoint]) {
      for (const started of secrets.map(versionWith)) expect(await statusOf(started, FIRST, post, '?check')).toBe(401);
    }
    const others = versions.filter(({ API_TOKEN_NEXT, API_TOKENS }) =>
      (API_TOKEN_NEXT || API_TOKENS)?.includes(SECOND),
    );
    for (const version of others) expect(await statusOf(version, SECOND)).toBe(202);
  });
});

/** A token that stands in a further secret, which a list that shrank has left behind. */
function moved(): Partial<Env> {
  return { API_TOKENS_2: JSON.stringify({ 'hotel-b': { tokens: [FIRST] } }) };
}

test('a revoked token of an operator sees no status', async () => {
  const version = versionWith({ API_TOKENS: JSON.stringify({ ops: { tokens: [FIRST], role: 'operator' } }) });
  await revoke(FIRST);
  const headers = { Authorization: `Bearer ${FIRST}` };
  expect((await statusJson(new Request('https://intake.example/status.json', { headers }), version)).status).toBe(401);
});

test.each([endpoint, batchEndpoint])(
  'a token that is known to be revoked is refused before its body is read',
  async (post) => {
    const version = versionWith(listOf(FIRST));
    await revoke(FIRST);
    expect(await statusOf(version, FIRST, post)).toBe(401);
    const request = new Request('https://intake.example/api/1.1/wf/reservation', {
      method: 'POST',
      headers: { Authentication: `Bearer ${FIRST}` },
      body: JSON.stringify(SMALL_EVENT),
    });
    expect((await post(request, version, createExecutionContext())).status).toBe(401);
    expect(request.bodyUsed).toBe(false);
  },
);

test('a revoked token that keeps coming counts as a wrong one', async () => {
  const WRONG_TOKEN_RATE = { limit: async () => ({ success: false }) };
  const version = { ...versionWith(listOf(FIRST)), WRONG_TOKEN_RATE };
  await revoke(FIRST);
  expect(await statusOf(version, FIRST)).toBe(429);
});

test.each(['{}', '{"revoked":["a"]}'])('`parseRevoked()` throws for %s, which would bring tokens back', (text) => {
  expect(() => parseRevoked(text)).toThrow(`Cannot read ${REVOKED_KEY}`);
});

describe('followRevoked()', () => {
  test('has nothing to say while no list is there', async () => {
    const errors = vi.spyOn(console, 'error');
    expect(await followRevoked(env.BUCKET).has(await digestOf(FIRST))).toBe(false);
    expect(errors).not.toHaveBeenCalled();
  });

  const gets = (bucket: R2Bucket) => vi.spyOn(bucket, 'get');

  test('asks at most once in 30 s, and lets only the request that asks wait', async () => {
    await revoke(FIRST);
    const get = gets(env.BUCKET);
    const revoked = followRevoked(env.BUCKET);
    const [first, other] = [await digestOf(FIRST), await digestOf(OTHER)];
    expect(await revoked.has(first)).toBe(true);
    vi.setSystemTime(NOW + AGE_MS - 1);
    expect([revoked.isKnown(first), revoked.isKnown(other)]).toEqual([true, false]);
    expect([await revoked.has(first), await revoked.has(other)]).toEqual([true, false]);
    expect(get).toHaveBeenCalledTimes(1);
    vi.setSystemTime(NOW + AGE_MS);
    const slow = Promise.withResolvers<null>();
    get.mockImplementationOnce(() => slow.promise);
    const asking = revoked.has(other);
    // Those that come meanwhile do not wait.
    expect(await revoked.has(first)).toBe(true);
    slow.resolve(null);
    expect(await asking).toBe(false);
    expect(get).toHaveBeenCalledTimes(2);
  });

  test('asks again when the request that was asking has gone', async () => {
    const bucket = { get: vi.fn(env.BUCKET.get.bind(env.BUCKET)) };
    const revoked = followRevoked(bucket);
    const first = await digestOf(FIRST);
    expect(await revoked.has(first)).toBe(false);
    vi.setSystemTime(NOW + AGE_MS);
    bucket.get.mockImplementationOnce(() => new Promise(() => undefined));
    revoked.has(first);
    await revoke(FIRST);
    vi.setSystemTime(NOW + AGE_MS + 500);
    expect(await revoked.has(first)).toBe(true);
  });

  test.each<[string, () => Promise<R2ObjectBody | null>]>([
    ['fails', () => Promise.reject(new Error('out of order'))],
    ['hangs', () => new Promise(() => undefined)],
  ])('goes by the last list, and without one by the secret, when the bucket %s', async (_, get) => {
    vi.useFakeTimers({ now: NOW });
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const answered = async (asked: Promise<boolean>) => {
      await vi.advanceTimersByTimeAsync(500);
      return asked;
    };
    const first = await digestOf(FIRST);
    const list = {
      text: async () =>
        JSON.stringify({ revoked: [{ digest: first.toUpperCase().replace('SHA', 'sha'), revoked_at: '' }] }),
    };
    const bucket = { get: vi.fn(get) as unknown as R2Bucket['get'] & ReturnType<typeof vi.fn> };
    const revoked = followRevoked(bucket);
    expect(await answered(revoked.has(first))).toBe(false);
    expect(bucket.get).toHaveBeenCalledTimes(1);
    expect(await revoked.has(first)).toBe(false);
    bucket.get.mockResolvedValueOnce(list);
    await vi.advanceTimersByTimeAsync(AGE_MS);
    expect(await answered(revoked.has(first))).toBe(true);
    await vi.advanceTimersByTimeAsync(AGE_MS);
    expect(await answered(revoked.has(first))).toBe(true);
    expect(errors.mock.calls.map(([line]) => line)).toMatchObject([
      { event: 'revoked_tokens_unknown', known: null },
      { event: 'revoked_tokens_unknown', known: 1 },
    ]);
  });

  test.each(['{', '{}', '{"revoked":["a"]}', '{"revoked":[{"digest":"sha256:0a","revoked_at":""}]}'])(
    'takes a list that somebody has spoilt (%s) for no answer',
    async (text) => {
      const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
      const revoked = followRevoked(env.BUCKET);
      await revoke(FIRST);
      const first = await digestOf(FIRST);
      expect(await revoked.has(first)).toBe(true);
      vi.setSystemTime(NOW + AGE_MS);
      letASecondPass();
      await env.BUCKET.put(REVOKED_KEY, text);
      expect(await revoked.has(first)).toBe(true);
      expect(errors).toHaveBeenCalledTimes(1);
    },
  );
});
