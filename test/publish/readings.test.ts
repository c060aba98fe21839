import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { retryDelaySeconds } from '../../src/landing/schedule.ts';
import {
  certainBound,
  DEAD_LETTER_WINDOW_MS,
  NO_READINGS,
  type Readings,
  readQueues,
  WINDOW_MS,
} from '../../src/publish/readings.ts';

const MINUTE_MS = 60_000;
const NOW = Date.parse('2026-07-10T10:30:00.000Z');
const EMPTY = { backlogCount: 0 };
const OF_UNKNOWN_AGE = { backlogCount: 5 };

/** What a queue says at a minute from {@link NOW} on. */
type Says = (minute: number) => { backlogCount: number; oldestMessageTimestamp?: Date | number };

const always = (metrics: ReturnType<Says>) => () => metrics;
const waitingSince = (minute: number) => ({ backlogCount: 1, oldestMessageTimestamp: NOW + minute * MINUTE_MS });

/** Reads every minute, and tells for each before which minute nothing waits; null while that is not certain. */
async function boundsOf(minutes: readonly number[], events: Says, deadLetters: Says = always(EMPTY)) {
  const bounds = new Map<number, number | null>();
  let readings: Readings = NO_READINGS;
  for (const minute of minutes) {
    const now = NOW + minute * MINUTE_MS;
    const queues = {
      events: { metrics: async () => events(minute) },
      deadLetters: { metrics: async () => deadLetters(minute) },
    };
    readings = await readQueues(readings, queues, now);
    const bound = certainBound(readings, now);
    bounds.set(minute, bound === undefined ? null : (bound - NOW) / MINUTE_MS);
  }
  return bounds;
}

const minutes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('certainBound()', () => {
  test('waits for longer than any retry is delayed, and as long for dead letters', () => {
    expect(WINDOW_MS).toBeGreaterThan(retryDelaySeconds('queue', 100, 1) * 1_000 + 5 * MINUTE_MS);
    expect(DEAD_LETTER_WINDOW_MS).toBeGreaterThan(
      retryDelaySeconds('dead-letter queue', 100, 1) * 1_000 + 5 * MINUTE_MS,
    );
  });

  test('leaves five minutes to requests under way, and is certain when a whole window has passed', async () => {
    const bounds = await boundsOf(minutes(0, 60), always(EMPTY));
    expect([bounds.get(0), bounds.get(22), bounds.get(23), bounds.get(60)]).toEqual([null, null, -5, 32]);
  });

  test('believes no reading that the others of its window contradict', async () => {
    const bounds = await boundsOf(minutes(0, 80), (minute) => (minute % 22 === 8 ? waitingSince(6) : EMPTY));
    expect(bounds.get(80)).toBe(1);
  });

  test.each([
    ['as a date', new Date(NOW + MINUTE_MS)],
    ['as a number', NOW + MINUTE_MS],
  ])('stays before the oldest message, given %s', async (_, oldestMessageTimestamp) => {
    const bounds = await boundsOf(minutes(0, 40), always({ backlogCount: 3, oldestMessageTimestamp }));
    expect(bounds.get(40)).toBe(-4);
  });

  test.each([
    ['no age', OF_UNKNOWN_AGE],
    ['an age that is not known', { backlogCount: 5, oldestMessageTimestamp: new Date(0) }],
  ])('stands still while a backlog has %s, and goes on a window after', async (_, unknown) => {
    const bounds = await boundsOf(minutes(0, 2_000), (minute) => (minute >= 60 && minute < 1_500 ? unknown : EMPTY));
    expect([bounds.get(59), bounds.get(60), bounds.get(1_499)]).toEqual([31, 31, 31]);
    expect([bounds.get(1_500), bounds.get(1_522), bounds.get(1_523)]).toEqual([null, null, 1_495]);
  });

  test('takes no time to have passed while no age is known', async () => {
    const bounds = await boundsOf(minutes(0, 60), (minute) => (minute < 10 ? EMPTY : OF_UNKNOWN_AGE));
    expect([bounds.get(9), bounds.get(33), bounds.get(60)]).toEqual([null, null, null]);
  });

  test('moves on when the age is unknown now and then', async () => {
    const bounds = await boundsOf(minutes(0, 100), (minute) => (minute % 3 === 0 ? EMPTY : OF_UNKNOWN_AGE));
    expect(bounds.get(99)).toBe(70);
  });

  test('begins a new window after a gap in the readings', async () => {
    const bounds = await boundsOf([...minutes(0, 40), ...minutes(46, 50), ...minutes(57, 100)], always(EMPTY));
    expect([bounds.get(46), bounds.get(57), bounds.get(79), bounds.get(80)]).toEqual([18, null, null, 52]);
  });

  test('believes a run that comes behind the last one, and takes no time to have passed', async () => {
    const bounds = await boundsOf([...minutes(0, 40), 20, ...minutes(41, 70)], always(EMPTY));
    expect([bounds.get(41), bounds.get(63), bounds.get(64)]).toEqual([13, 15, 36]);
  });

  test('is not certain until dead letters have not been counted for longer than they can wait', async () => {
    const bounds = await boundsOf(minutes(0, 400), always(EMPTY), (minute) => (minute === 50 ? OF_UNKNOWN_AGE : EMPTY));
    const window = DEAD_LETTER_WINDOW_MS / MINUTE_MS;
    expect([bounds.get(49), bounds.get(50), bounds.get(49 + window)]).toEqual([21, null, null]);
    expect(bounds.get(50 + window)).toBe(50 + window - 28);
  });
});

describe('readQueues()', () => {
  test('understands the metrics of a real queue', async () => {
    const readings = await readQueues(NO_READINGS, { events: env.EVENTS, deadLetters: env.DEAD_LETTERS }, NOW);
    expect(readings).toEqual({
      window: [[NOW, NOW - 5 * MINUTE_MS]],
      dead_letters_until: 0,
      without_age: 0,
      without_age_since: null,
    });
  });

  test('remembers one window and no more', async () => {
    let readings: Readings = NO_READINGS;
    for (const minute of minutes(0, 200)) {
      const queue = { metrics: async () => EMPTY };
      readings = await readQueues(readings, { events: queue, deadLetters: queue }, NOW + minute * MINUTE_MS);
    }
    expect(readings.window).toHaveLength(24);
  });
});
