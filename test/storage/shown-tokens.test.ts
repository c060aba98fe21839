import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test } from 'vitest';
import { readShownTokens, rememberShown } from '../../src/storage/shown-tokens.ts';
import { clockAt } from '../clock.ts';

afterEach(() => reset());

const NOON = Date.parse('2026-07-10T12:00:00.000Z');
const DAY_MS = 86_400_000;

test('a token that was shown is told of for a day, each once', async () => {
  await rememberShown(env.BUCKET, { sender: 'opera', token: 1 }, clockAt(NOON - 1));
  await rememberShown(env.BUCKET, { sender: 'opera', token: 1 }, clockAt(NOON));
  await rememberShown(env.BUCKET, { sender: 'opera', token: 2 }, clockAt(NOON + 1));
  const tokens = async (now: number) => (await readShownTokens(env.BUCKET, now)).map(({ token }) => token);
  expect(await tokens(NOON + DAY_MS - 1)).toEqual([1, 2]);
  expect(await tokens(NOON + DAY_MS)).toEqual([2]);
  expect(await tokens(NOON + DAY_MS + 1)).toEqual([]);
});
