import { expect, test } from 'vitest';
import { createPace, type Pace } from '../../../src/cli/send/pace.ts';
import { MAX_BATCH_BYTES } from '../../../src/contract/endpoint.ts';

/** Sends full requests over a line of so many bytes a second, and returns whether each was answered in time. */
function send(pace: Pace, requests: number, bytesPerSecond: number): boolean[] {
  return Array.from({ length: requests }, () => {
    const { bytes } = pace;
    const tookMs = 200 + (bytes / bytesPerSecond) * 1_000;
    const inTime = tookMs < pace.timeoutMs(bytes);
    if (inTime) pace.answered(bytes, tookMs);
    else pace.lost();
    return inTime;
  });
}

test.each([
  ['a fast line', 10_000_000, MAX_BATCH_BYTES, MAX_BATCH_BYTES],
  ['an eighth of 0.5 Mbit/s', 7_800, 16_384, 32_768],
  ['an eighth of 0.1 Mbit/s', 1_560, 4_096, 8_192],
])('`createPace()` loses nothing on %s, and fits its requests to it', (_, bytesPerSecond, least, most) => {
  const pace = createPace();
  expect(send(pace, 20, bytesPerSecond)).not.toContain(false);
  expect(pace.bytes).toBeGreaterThanOrEqual(least);
  expect(pace.bytes).toBeLessThanOrEqual(most);
});

test('`createPace()` gets on again when a line becomes a thousand times as slow', () => {
  const pace = createPace();
  send(pace, 20, 10_000_000);
  const answered = send(pace, 40, 10_000);
  expect(answered.indexOf(true)).toBeLessThan(8);
  expect(answered.slice(answered.indexOf(true))).not.toContain(false);
});

test('`createPace()` waits for seconds alone on a fast line', () => {
  const pace = createPace();
  send(pace, 20, 10_000_000);
  expect(pace.timeoutMs(MAX_BATCH_BYTES)).toBeLessThan(15_000);
});
