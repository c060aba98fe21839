/** Exchanging a token while events come in, with versions of the Worker that overlap as they do when secrets change. */

import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test } from 'vitest';
import type { Env } from '../../src/config.ts';
import { post } from '../post.ts';
import { FULL_EVENT } from '../sample.ts';

const OLD = 'the-old-token-of-the-sender-hotel-a';
const NEW = 'the-new-token-of-the-sender-hotel-a';

afterEach(() => reset());

const send = async (token: string, version: Env) => (await post(FULL_EVENT, token, version)).status;

/** What senders present, and the versions that may answer: two at a time, since an update takes a while to be everywhere. */
const STEPS: readonly { readonly presented: readonly string[]; readonly versions: readonly (readonly string[])[] }[] = [
  { presented: [OLD], versions: [[OLD]] },
  { presented: [OLD], versions: [[OLD], [OLD, NEW]] },
  { presented: [OLD, NEW], versions: [[OLD, NEW]] },
  { presented: [NEW], versions: [[OLD, NEW], [NEW]] },
  { presented: [NEW], versions: [[NEW]] },
];
test.each<[string, (tokens: readonly string[]) => Partial<Env>]>([
  ['a named sender', (tokens) => ({ API_TOKENS: JSON.stringify({ 'hotel-a': { tokens } }) })],
  ['API_TOKEN', ([first = '', second = '']) => ({ API_TOKEN: first, API_TOKEN_NEXT: second })],
])('the token of %s is exchanged without one refused event', async (_, secretsOf) => {
  for (const { presented, versions } of STEPS) {
    for (const version of versions.map((tokens) => ({ ...env, ...secretsOf(tokens) }))) {
      for (const token of presented) expect(await send(token, version)).toBe(202);
    }
  }
  // And then the old one is worth nothing.
  expect(await send(OLD, { ...env, ...secretsOf([NEW]) })).toBe(401);
});

test('a sender whose only token was revoked is answered 401, not 503 as by a service without tokens', async () => {
  const revoked = `sha256:${'0'.repeat(64)}`;
  const version = { ...env, API_TOKEN: revoked, API_TOKEN_NEXT: revoked, API_TOKENS: '{}' };
  expect(await send(OLD, version)).toBe(401);
  expect(await send(revoked, version)).toBe(401);
});
