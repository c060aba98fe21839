/** Named senders, from the secret to the answer. */

import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../src/config.ts';
import { post } from '../post.ts';
import { FULL_EVENT } from '../sample.ts';

const TOKEN = 'a-token-that-is-long-enough-to-be-one';

afterEach(() => reset());

const send = (secrets: Partial<Env>, token: string, address = '192.0.2.7') =>
  post(FULL_EVENT, token, { ...env, ...secrets }, { 'CF-Connecting-IP': address });

describe('a sender of API_TOKENS', () => {
  test.each([
    ['without a limit', undefined, 202],
    ['limited to the IntegrationId', [FULL_EVENT.IntegrationId], 202],
    ['limited to a prefix of it', ['other', 'int-*'], 202],
    ['limited to another', ['int-4'], 403],
    ['limited to another prefix', ['int-4-*'], 403],
  ])('%s is answered %j: %i', async (_, integrations, status) => {
    const senders = { 'hotel-a': { tokens: [TOKEN], ...(integrations && { integrations }) } };
    const response = await send({ API_TOKENS: JSON.stringify(senders) }, TOKEN);
    expect(response.status).toBe(status);
    const text = await response.text();
    if (status === 403) {
      expect(JSON.parse(text).type).toBe('/problems/forbidden-integration');
      expect(text).not.toContain(FULL_EVENT.IntegrationId);
    }
  });

  test('is answered 200 where its client takes nothing else', async () => {
    const answered = async (more: object) => {
      const response = await send({ API_TOKENS: JSON.stringify({ 'hotel-a': { tokens: [TOKEN], ...more } }) }, TOKEN);
      return response.status;
    };
    expect(await answered({ accepted_status: 200 })).toBe(200);
    expect(await answered({ accepted_status: 202 })).toBe(202);
    expect(await answered({ accepted_status: 204 })).toBe(503);
  });

  test('finds what it may not send kept in rejected/', async () => {
    const senders = { 'hotel-a': { tokens: [TOKEN], integrations: ['other'] } };
    expect((await send({ API_TOKENS: JSON.stringify(senders) }, TOKEN)).status).toBe(403);
    const key = await vi.waitFor(async () => {
      const [object] = (await env.BUCKET.list({ prefix: 'rejected/' })).objects;
      if (object === undefined) throw new Error('Nothing is there yet');
      return object.key;
    }, 30_000);
    const [line = ''] = (await (await env.BUCKET.get(key))?.text())?.split('\n') ?? [];
    expect(JSON.parse(line)).toMatchObject({ sender: 'hotel-a', status: 403, reason: 'forbidden_integration' });
  });

  test('is answered 503 while API_TOKENS cannot be read, and API_TOKEN goes on', async () => {
    const secrets = { API_TOKENS: JSON.stringify({ a: TOKEN }) };
    const response = await send(secrets, TOKEN);
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).toBe('30');
    expect((await send(secrets, env.API_TOKEN)).status).toBe(202);
  });
});

/** A limiter that lets `limit` requests of each key pass. */
function limiterOf(limit: number): RateLimit {
  const counts = new Map<string, number>();
  return {
    limit: async ({ key = '' }) => {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { success: count <= limit };
    },
  };
}

describe('a limit', () => {
  test('stops the sender that is over it and nobody else', async () => {
    const secrets = { SENDER_RATE: limiterOf(1), API_TOKENS: JSON.stringify({ a: { tokens: [TOKEN] } }) };
    expect((await send(secrets, TOKEN)).status).toBe(202);
    const over = await send(secrets, TOKEN);
    expect(over.status).toBe(429);
    expect(over.headers.get('Retry-After')).toBe('60');
    expect(await over.json()).toMatchObject({ type: '/problems/too-many-requests' });
    expect((await send(secrets, env.API_TOKEN)).status).toBe(202);
  });

  test('stops wrong tokens of one network and of no other, and never a right one', async () => {
    const secrets = { WRONG_TOKEN_RATE: limiterOf(1) };
    expect((await send(secrets, 'wrong-1')).status).toBe(401);
    const over = await send(secrets, 'wrong-2');
    expect(over.status).toBe(429);
    expect(over.headers.get('Retry-After')).toBe('60');
    expect((await send(secrets, 'wrong-3', '198.51.100.1')).status).toBe(401);
    expect((await send(secrets, env.API_TOKEN)).status).toBe(202);
  });
});
