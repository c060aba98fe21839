import { describe, expect, test } from 'vitest';
import { type QueueStage, retryDelaySeconds } from '../../src/landing/schedule.ts';

const HOUR_SECONDS = 3_600;

/** The delays between so many deliveries. */
function delays(stage: QueueStage, deliveries: number, random: number): number[] {
  return Array.from({ length: deliveries - 1 }, (_, at) => retryDelaySeconds(stage, at + 1, random));
}

describe('retryDelaySeconds()', () => {
  test('grows from 30 s to 15 min in a queue', () => {
    expect(delays('queue', 8, 0)).toEqual([30, 90, 270, 810, 900, 900, 900]);
  });

  test('grows from 30 s to 4 h in a dead-letter queue', () => {
    expect(delays('dead-letter queue', 9, 0)).toEqual([30, 90, 270, 810, 2_430, 7_290, 14_400, 14_400]);
  });

  test('spreads delays by a tenth, upward, so that jitter never makes it less patient', () => {
    expect(delays('queue', 8, 1)).toEqual([33, 99, 297, 891, 990, 990, 990]);
    for (let attempt = 1; attempt <= 100; attempt += 1) {
      expect(retryDelaySeconds('queue', attempt, 0)).toBeLessThan(retryDelaySeconds('queue', attempt, 1));
    }
  });

  test('stays under the 12 hours that a queue allows (Cloudflare Queues, limits)', () => {
    expect(Math.max(...delays('dead-letter queue', 1_000, 1))).toBeLessThan(12 * HOUR_SECONDS);
  });
});
