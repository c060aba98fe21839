import { describe, expect, test } from 'vitest';
import { adviceOnAddress, originOf, routedOrigin } from '../../src/cli/address.ts';

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
  const there = async () => ({ subdomain: 'hotels' });
  expect(await originOf(config, there)).toBe('https://intake.hotels.workers.dev');
  const nowhere = async () => undefined;
  await expect(originOf(config, nowhere)).rejects.toThrow('write routes under its environment in wrangler.toml');
});

describe('`adviceOnAddress()`', () => {
  test('names workers.dev and the route to write for an environment that has none', () => {
    const advice = adviceOnAddress('production', { name: 'intake' });
    expect(advice).toMatch(/^production is on workers\.dev, .*\n.* \[env\.production\] in wrangler\.toml/);
    expect(advice).toContain('routes = [{ pattern = "intake.example", custom_domain = true }]');
  });

  test.each([
    ['production', { routes: [{ pattern: 'intake.example' }] }],
    ['production', { route: '*.example/*' }],
    ['staging', {}],
  ])('has nothing to say of %s with %j', (env, config) => {
    expect(adviceOnAddress(env, config)).toBeUndefined();
  });
});
