import { expect, test } from 'vitest';
import { newEventId, timeOf } from '../../src/storage/event-id.ts';

test('newEventId() makes identifiers that sort by the order in which they are made', () => {
  const ids = Array.from({ length: 1_000 }, newEventId);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('timeOf() reads the millisecond out of an identifier', () => {
  expect(timeOf('01a21ef9-f32d-7279-bda2-96945fb413af').toISOString()).toBe('2026-11-27T21:47:06.925Z');
});
