import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { letASecondPass } from '../clock.ts';
import { emptyBucket } from '../publish/landing.ts';

test('limitWrites() refuses a second write within a second, and none of another key or later', async () => {
  await env.BUCKET.put('a', '1');
  await expect(env.BUCKET.put('a', '2')).rejects.toThrow('(10058)');
  await env.BUCKET.put('b', '1');
  letASecondPass();
  expect(await env.BUCKET.put('a', '3')).not.toBeNull();
  expect(await (await env.BUCKET.get('a'))?.text()).toBe('3');
  await emptyBucket();
});

test('limitWrites() counts no write whose condition did not hold', async () => {
  const created = { onlyIf: { etagDoesNotMatch: '*' } };
  await env.BUCKET.put('a', '1');
  letASecondPass();
  expect(await env.BUCKET.put('a', '2', created)).toBeNull();
  expect(await env.BUCKET.put('a', '3')).not.toBeNull();
  await emptyBucket();
});
