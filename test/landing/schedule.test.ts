import { describe, expect, test } from 'vitest';
import { retryDelaySeconds } from '../../src/landing/schedule.ts';

const HOUR_SECONDS = 3_600;

/** The delays between so many deliveries. */
function delays(deliveries: number, random: number): number[] {
  return Array.from({ length: deliveries - 1 }, (_, at) => retryDelaySeconds(at + 1, random));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe('retryDelaySeconds()', () => {
  test('grows from 30 s to 15 min', () => {
    expect(delays(8, 0)).toEqual([30, 90, 270, 810, 900, 900, 900]);
  });

  test('bridges 24 hours within 100 deliveries when every delay is as short as it can be', () => {
    expect(sum(delays(100, 0))).toBe(86_700);
    expect(sum(delays(100, 0))).toBeGreaterThan(24 * HOUR_SECONDS);
  });

  test('spreads delays by a tenth, upward, so that jitter never makes it less patient', () => {
    expect(delays(8, 1)).toEqual([33, 99, 297, 891, 990, 990, 990]);
    for (let attempt = 1; attempt <= 100; attempt += 1) {
      expect(retryDelaySeconds(attempt, 0)).toBeLessThan(retryDelaySeconds(attempt, 1));
    }
  });

  test('stays under the 12 hours that a queue allows (Cloudflare Queues, limits)', () => {
    expect(Math.max(...delays(1_000, 1))).toBeLessThan(12 * HOUR_SECONDS);
  });
});
