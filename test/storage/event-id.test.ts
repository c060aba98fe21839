import { validate, version } from 'uuid';
import { afterEach, expect, test, vi } from 'vitest';
import { timeOf, timestampOf, uuidv7 } from '../../src/storage/event-id.ts';

afterEach(() => void vi.useRealTimers());

test('uuidv7() makes UUIDs of version 7', () => {
  const ids = Array.from({ length: 1_000 }, uuidv7);
  expect(ids.filter((id) => !validate(id) || version(id) !== 7)).toEqual([]);
});

test('uuidv7() makes identifiers that sort by the order in which they are made, though the clock stands still or goes back a little', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const clock = [0, 0, 1, -5_000, 2].map((change) => Date.now() + change);
  const ids = clock.flatMap((time) => {
    vi.setSystemTime(time);
    return Array.from({ length: 5_000 }, uuidv7);
  });
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('uuidv7() makes an identifier of this moment', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2100-01-02T03:04:05.678Z') });
  expect(timeOf(uuidv7()).toISOString()).toBe('2100-01-02T03:04:05.678Z');
});

test('uuidv7() follows a clock that was an hour ahead and is set right', () => {
  const now = Date.parse('2100-01-02T03:04:05.678Z');
  vi.useFakeTimers({ toFake: ['Date'], now: now + 3_600_000 });
  uuidv7();
  vi.setSystemTime(now);
  expect(timeOf(uuidv7()).getTime()).toBe(now);
});

test('timeOf() reads the millisecond out of an identifier', () => {
  expect(timeOf('01a21ef9-f32d-7279-bda2-96945fb413af').toISOString()).toBe('2026-11-27T21:47:06.925Z');
});

test('timestampOf() writes the time of an identifier, whichever was asked for before', () => {
  const later = '01a21ef9-f32e-7279-bda2-96945fb413af';
  const ids = ['01a21ef9-f32d-7279-bda2-96945fb413af', '01a21ef9-f32d-7fff-9da2-96945fb413af', later, later];
  expect(ids.map(timestampOf)).toEqual(ids.map((id) => timeOf(id).toISOString()));
});
