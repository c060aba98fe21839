import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { isOverRate, networkOf, type RateLimiter } from '../../src/http/rate-limit.ts';

const limiter: Record<string, RateLimiter> = {
  fails: { limit: () => Promise.reject(new Error('out of order')) },
  throws: {
    limit: () => {
      throw new Error('out of order');
    },
  },
  hangs: { limit: () => new Promise(() => {}) },
};

describe('isOverRate()', () => {
  test('counts each key by itself', async () => {
    const keys = ['a', 'b'].map((name) => `${name}-${crypto.randomUUID()}`) as [string, string];
    let passed = 0;
    while (!(await isOverRate(env.WRONG_TOKEN_RATE, keys[0]))) passed++;
    expect(passed).toBeGreaterThan(0);
    expect(await isOverRate(env.WRONG_TOKEN_RATE, keys[1])).toBe(false);
  });

  test.each(Object.keys(limiter))('lets pass when the limiter %s', async (name) => {
    vi.useFakeTimers();
    const over = isOverRate(limiter[name], 'key');
    await vi.runAllTimersAsync();
    expect(await over).toBe(false);
    vi.useRealTimers();
  });

  test('lets pass when there is no limiter', async () => {
    expect(await isOverRate(undefined, 'key')).toBe(false);
  });
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8:1::6', '2001:db8:1:0::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
])('`networkOf()` puts %s into %s', (address, network) => {
  expect(networkOf(new Headers({ 'CF-Connecting-IP': address }))).toBe(network);
});

test('`networkOf()` takes requests without an address for one network', () => {
  expect(networkOf(new Headers())).toBe('');
});
