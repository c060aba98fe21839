import { expect, test } from 'vitest';
import { retryDelayMs, retrying } from '../../src/cli/backoff.ts';

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
  [1, '-1', 1, 500],
  [1, '1.5', 1, 500],
])('`retryDelayMs()` after attempt %i with Retry-After %s and random %d is %i', (attempt, header, random, expected) => {
  expect(retryDelayMs(attempt, header, NOW, random)).toBe(expected);
});

const signal = new AbortController().signal;
const say = (why: string) => why;

test('`retrying()` goes on until there is a value, and says why', async () => {
  const why: string[] = [];
  let number = 0;
  const attempt = async () => {
    number += 1;
    return number < 3 ? { why: `no ${number}`, retryAfter: '0' } : { value: 'yes' };
  };
  const options = { attempts: 5, signal, onWait: (said: string) => why.push(said), say };
  expect(await retrying(attempt, options)).toBe('yes');
  expect(why).toEqual(['no 1', 'no 2']);
});

test.each([
  ['0', 'it answered 503', 2],
  ['9999999', 'it answered 503 and asks for 166667 minutes', 1],
])('`retrying()` ends when it is told to wait %s s', async (retryAfter, message, made) => {
  let count = 0;
  const attempt = async () => {
    count += 1;
    return { why: 'it answered 503', retryAfter };
  };
  await expect(retrying(attempt, { attempts: 2, signal, say })).rejects.toThrow(message);
  expect(count).toBe(made);
});
