import { expect, test } from 'vitest';
import { originOf, routedOrigin } from '../../src/cli/address.ts';

test.each([
  [{ routes: [{ pattern: 'intake.example', custom_domain: true }] }, 'https://intake.example'],
  [{ routes: ['*.example/api/*', 'https://intake.example/api/*'] }, 'https://intake.example'],
  [{ route: 'intake.example/*' }, 'https://intake.example'],
  [{ routes: ['*.example/*'] }, undefined],
  [{}, undefined],
])('`routedOrigin()` reads %j as %s', (config, origin) => {
  expect(routedOrigin(config)).toBe(origin);
});

test('`originOf()` finds a service without a route on workers.dev, if the account is there', async () => {
  const config = { name: 'intake' };
  const there = async () => ({ ok: true, result: { subdomain: 'hotels' } }) as const;
  expect(await originOf(config, there)).toBe('https://intake.hotels.workers.dev');
  const nowhere = async () => ({ ok: false, code: 10007, message: 'none' }) as const;
  await expect(originOf(config, nowhere)).rejects.toThrow('write routes under its environment in wrangler.toml');
});
