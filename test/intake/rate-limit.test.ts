import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { isOverRate, type RateLimiter } from '../../src/intake/rate-limit.ts';

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
