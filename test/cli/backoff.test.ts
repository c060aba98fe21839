import { expect, test } from 'vitest';
import { retryDelayMs } from '../../src/cli/backoff.ts';

const NOW = new Date('2026-06-12T13:00:00Z');

test.each([
  [1, null, 0, 250],
  [1, null, 1, 500],
  [4, null, 1, 4_000],
  [30, null, 1, 60_000],
  [1, '30', 0, 30_000],
  [9, '30', 1, 30_500],
  [1, '0', 0, 0],
  [1, 'Fri, 12 Jun 2026 13:00:20 GMT', 0, 20_000],
  [1, 'Fri, 12 Jun 2026 12:00:00 GMT', 0, 0],
  [1, 'soon', 1, 500],
])('`retryDelayMs()` after attempt %i with Retry-After %s and random %d is %i', (attempt, header, random, expected) => {
  expect(retryDelayMs(attempt, header, NOW, random)).toBe(expected);
});
