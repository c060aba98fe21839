import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { oneAtATime } from '../../src/cron/one-at-a-time.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  // Time passes when somebody waits for it.
  vi.spyOn(scheduler, 'wait').mockImplementation(async (milliseconds) => {
    vi.setSystemTime(Date.now() + milliseconds);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('oneAtATime() has a run wait for the one that is under way', async () => {
  const first = Promise.withResolvers<void>();
  const told: string[] = [];
  const underWay = oneAtATime(() => first.promise.then(() => told.push('first')));
  vi.mocked(scheduler.wait).mockImplementationOnce(async () => first.resolve());
  await oneAtATime(async () => told.push('second'));
  await underWay;
  expect(told).toEqual(['first', 'second']);
});

test('oneAtATime() gives up within a minute, and begins after a failure and after one that was ended', async () => {
  const run = vi.fn(async () => 'done');
  await expect(oneAtATime(() => Promise.reject(new Error('a run has failed')))).rejects.toThrow('a run has failed');
  expect(await oneAtATime(run)).toBe('done');
  const killed = Promise.withResolvers<void>();
  const hanging = oneAtATime(() => killed.promise);
  const from = Date.now();
  expect(await oneAtATime(run)).toBeUndefined();
  expect(Date.now() - from).toBeLessThan(60_000);
  vi.setSystemTime(from + 61_000);
  expect(await oneAtATime(run)).toBe('done');
  killed.resolve();
  await hanging;
});

test('oneAtATime() leaves a run alone that goes on for long', async () => {
  const beats = vi.spyOn(globalThis, 'setInterval');
  const run = vi.fn(async () => 'done');
  const first = Promise.withResolvers<void>();
  const underWay = oneAtATime(() => first.promise);
  const [[beat] = []] = beats.mock.calls;
  for (let minute = 1; minute <= 3; minute += 1) {
    vi.setSystemTime(Date.now() + 10_000);
    (beat as () => void)();
    expect(await oneAtATime(run)).toBeUndefined();
  }
  first.resolve();
  await underWay;
  expect(await oneAtATime(run)).toBe('done');
});
