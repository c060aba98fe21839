import { expect, test, vi } from 'vitest';
import { withTimeout } from '../../src/http/with-timeout.ts';

test('`withTimeout()` passes on what the promise becomes', async () => {
  expect(await withTimeout(Promise.resolve('value'), 60_000)).toBe('value');
  await expect(withTimeout(Promise.reject(new Error('broken')), 60_000)).rejects.toThrow('broken');
});

test('`withTimeout()` leaves no timer behind', async () => {
  vi.useFakeTimers();
  try {
    await withTimeout(Promise.resolve('value'), 60_000);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('`withTimeout()` gives up on a promise that never settles', async () => {
  expect(await withTimeout(new Promise(() => {}), 1)).toBeUndefined();
});
