/** Stores that fail in every way at random, consumers that are killed at every step: nothing may be lost. */

import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import worker from '../../src/index.ts';
import { CONFIRM_TIMEOUT_MS } from '../../src/intake/limits.ts';
import { type Answered, nothingWasStored, startHarness } from './harness.ts';
import { readStored } from './stored.ts';
import { startVirtualTime } from './virtual-time.ts';

const seeds = __THOROUGH__ ? 24 : 2;
const requests = __THOROUGH__ ? 1_000 : 200;

const time = startVirtualTime();

afterEach(async () => {
  time.end();
  vi.restoreAllMocks();
  await reset();
});

test(`nothing is lost of ${seeds * requests} requests under faults, with ${seeds} seeds`, {
  timeout: 600_000,
}, async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'log').mockImplementation(() => {});
  const unhandled: unknown[] = [];
  addEventListener('unhandledrejection', ({ reason }) => unhandled.push(reason));

  const harness = startHarness(env, time);
  // The real queue delivers to the real handler; the faults stand between the two.
  vi.spyOn(worker, 'queue').mockImplementation(harness.deliver);
  for (let seed = 1; seed <= seeds; seed += 1) {
    await harness.send(seed, requests);
  }
  await harness.drain();

  const { answered } = harness;
  // Lines that were written but not acknowledged are still delivered once more, and land again while this is read.
  const written = new Map(harness.written);
  const stored = await readStored(env.BUCKET);
  const lostEvents = answered.filter(({ status, eventId }) => status === 202 && !stored.events.has(eventId ?? ''));
  const refused = answered.filter(({ status }) => status !== 202 && status !== 503);
  const notKept = refused.filter(({ mark }) => !stored.rejectedMarks.has(mark));
  const lostBodies = notKept.filter((answer) => !nothingWasStored(answer));

  const marks = (some: readonly Answered[]) => some.map(({ mark }) => mark);
  const odd = answered.filter(({ status, expected }) => status !== expected && !(status === 503 && expected === 202));
  expect(answered).toHaveLength(seeds * requests);
  expect(marks(lostEvents)).toEqual([]);
  expect(marks(lostBodies)).toEqual([]);
  expect(marks(odd)).toEqual([]);
  expect(marks(refused.filter(({ mark }) => stored.eventMarks.has(mark)))).toEqual([]);
  expect(marks(answered.filter(({ expected, mark }) => expected === 202 && stored.rejectedMarks.has(mark)))).toEqual(
    [],
  );
  expect(harness.overwritten).toEqual([]);
  expect(new Map(Array.from(written.keys(), (key) => [key, stored.objects.get(key)]))).toEqual(written);
  expect(Math.max(...answered.map(({ waitedMs }) => waitedMs))).toBeLessThanOrEqual(CONFIRM_TIMEOUT_MS);
  expect(unhandled).toEqual([]);
  const notKeptLines = logged.mock.calls.filter(([line]) => line.event === 'refused_body_lost');
  expect(notKeptLines.length).toBeGreaterThanOrEqual(notKept.length);
});
