import { expect, test, vi } from 'vitest';
import { within } from '../src/within.ts';

test('`within()` passes on what the promise becomes', async () => {
  expect(await within(Promise.resolve('value'), 60_000)).toBe('value');
  await expect(within(Promise.reject(new Error('broken')), 60_000)).rejects.toThrow('broken');
});

test('`within()` leaves no timer behind', async () => {
  vi.useFakeTimers();
  try {
    await within(Promise.resolve('value'), 60_000);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('`within()` gives up on a promise that never settles', async () => {
  expect(await within(new Promise(() => {}), 1)).toBeUndefined();
});
