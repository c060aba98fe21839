/** Named senders, from the secret to the answer. */

import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import type { Env } from '../../src/config.ts';
import { intake } from '../../src/intake/route.ts';
import { FULL_EVENT } from '../sample.ts';

const TOKEN = 'a-token-that-is-long-enough-to-be-one';

afterEach(() => reset());

function post(secrets: Partial<Env>, token: string): Promise<Response> {
  const request = new Request('https://intake.example/api/1.1/wf/reservation', {
    method: 'POST',
    headers: { Authentication: `Bearer ${token}` },
    body: JSON.stringify(FULL_EVENT),
  });
  return intake(request, { ...env, ...secrets });
}

describe('a sender of API_TOKENS', () => {
  test.each([
    ['without a limit', undefined, 202],
    ['limited to the IntegrationId', [FULL_EVENT.IntegrationId], 202],
    ['limited to a prefix of it', ['other', 'int-*'], 202],
    ['limited to another', ['int-4'], 403],
    ['limited to another prefix', ['int-4-*'], 403],
  ])('%s is answered %j: %i', async (_, integrations, status) => {
    const senders = { 'hotel-a': { tokens: [TOKEN], ...(integrations && { integrations }) } };
    const response = await post({ API_TOKENS: JSON.stringify(senders) }, TOKEN);
    expect(response.status).toBe(status);
    const text = await response.text();
    if (status === 403) {
      expect(JSON.parse(text).type).toBe('https://intake.example/problems/forbidden-integration');
      expect(text).not.toContain(FULL_EVENT.IntegrationId);
    }
  });

  test('stands beside API_TOKEN and API_TOKEN_NEXT', async () => {
    const secrets = { API_TOKEN_NEXT: 'next', API_TOKENS: JSON.stringify({ a: { tokens: [TOKEN] } }) };
    for (const token of [env.API_TOKEN, 'next', TOKEN]) expect((await post(secrets, token)).status).toBe(202);
    expect((await post(secrets, `${TOKEN}x`)).status).toBe(401);
  });

  test('is answered 503 while API_TOKENS cannot be read, and API_TOKEN goes on', async () => {
    const secrets = { API_TOKENS: JSON.stringify({ a: TOKEN }) };
    const response = await post(secrets, TOKEN);
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).toBe('30');
    expect((await post(secrets, env.API_TOKEN)).status).toBe(202);
  });
});
