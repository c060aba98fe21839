/**
 * What the queues reported about themselves, minute by minute, and what may be concluded from it. Pure.
 *
 * Queues call their metrics approximate: one reading may miss a waiting message. So a reading is trusted only when
 * every other reading of a whole window agrees: a waiting message is assumed to be counted by at least one of them, at
 * the latest when its retry is due.
 */

import * as v from 'valibot';

const MINUTE_MS = 60_000;

/**
 * How long an event may be on its way to the queue, plus how far the clocks of intake, queue and publisher may differ
 * in total: a response takes 4 s, and clocks of one network differ by far less than this. In milliseconds.
 */
const SETTLE_MS = 5 * MINUTE_MS;

/** How far apart two readings may be without a gap in the window: a few missed runs. In milliseconds. */
const MAX_GAP_MS = 6 * MINUTE_MS;

/** Longer than the longest retry delay of the queue, 16.5 min with its jitter, plus a gap. In milliseconds. */
export const WINDOW_MS = 23 * MINUTE_MS;

/**
 * How long dead letters are assumed to wait after they were last counted: longer than the longest retry delay of the
 * dead-letter queue, 4 h 24 min with its jitter, plus a gap. The first delays of that queue are so short that a dead
 * letter is counted within {@link WINDOW_MS} of leaving the queue, where it held the watermark until then. In
 * milliseconds.
 */
export const DEAD_LETTER_WINDOW_MS = 270 * MINUTE_MS + MAX_GAP_MS;

/** The only method of `Queue` that is used here. */
interface Backlogged {
  metrics(): Promise<{ readonly backlogCount: number; readonly oldestMessageTimestamp?: Date | number }>;
}

/** The two queues in which an event can wait. */
export interface Queues {
  readonly events: Backlogged;
  readonly deadLetters: Backlogged;
}

/** The state kept of the readings so far. All times are milliseconds since 1970. */
export const ReadingsSchema = v.object({
  /**
   * The readings of one window without a gap, oldest first: the time of the reading, and the time before which nothing
   * received was seen waiting.
   */
  window: v.array(v.tuple([v.number(), v.number()])),
  /** Until when dead letters are assumed to wait. */
  dead_letters_until: v.number(),
  /** How many consecutive readings lacked an age, and since when; null when the last one had it. */
  without_age: v.number(),
  without_age_since: v.nullable(v.number()),
});

export type Readings = v.InferOutput<typeof ReadingsSchema>;

export const NO_READINGS: Readings = {
  window: [],
  dead_letters_until: 0,
  without_age: 0,
  without_age_since: null,
};

/**
 * Reads both queues, in the order in which a message passes through them, so that a message that moves on is met again.
 *
 * A reading that counts messages without the age of the oldest is inconclusive. When that lasts longer than the
 * permitted gap, the window starts over.
 *
 * @param now - Milliseconds since 1970, taken before the reading.
 */
export async function readQueues(before: Readings, { events, deadLetters }: Queues, now: number): Promise<Readings> {
  const since = waitingSince(await events.metrics(), now);
  const { backlogCount } = await deadLetters.metrics();
  const deadUntil = backlogCount > 0 ? now + DEAD_LETTER_WINDOW_MS : before.dead_letters_until;
  return {
    window: since === undefined ? before.window : add(before.window, now, since - SETTLE_MS),
    // A dead letter does not show when its event was received: it may have waited for a day before.
    dead_letters_until: Math.max(deadUntil, before.dead_letters_until),
    without_age: since === undefined ? before.without_age + 1 : 0,
    without_age_since: since === undefined ? (before.without_age_since ?? now) : null,
  };
}

/**
 * The time before which nothing received waits in a queue, in milliseconds since 1970. Undefined while that is not
 * certain: in the first window, and while dead letters wait.
 */
export function certainBound({ window, dead_letters_until: deadUntil }: Readings, now: number): number | undefined {
  const [first, last] = [window.at(0), window.at(-1)];
  // Time since the last reading does not count: there may have been none with an age.
  if (first === undefined || last === undefined || first[0] > last[0] - WINDOW_MS || now < deadUntil) return undefined;
  return window.reduce((lowest, [, bound]) => Math.min(lowest, bound), Number.POSITIVE_INFINITY);
}

/** Since when the oldest message waits, `now` when there is none, undefined when unknown. */
function waitingSince(
  { backlogCount, oldestMessageTimestamp }: Awaited<ReturnType<Backlogged['metrics']>>,
  now: number,
): number | undefined {
  if (backlogCount === 0) return now;
  const oldest = Number(oldestMessageTimestamp ?? 0);
  return oldest > 0 ? Math.min(oldest, now) : undefined;
}

/** Adds a reading and drops those that the window does not need: all but one from before its start. */
function add(window: Readings['window'], at: number, bound: number): Readings['window'] {
  const last = window.at(-1);
  if (last === undefined || at - last[0] > MAX_GAP_MS) return [[at, bound]];
  // A concurrent or delayed run: its reading counts, but no time has passed.
  if (at <= last[0]) return window.with(-1, [last[0], Math.min(last[1], bound)]);
  const start = window.findLastIndex(([time]) => time <= at - WINDOW_MS);
  return [...window.slice(Math.max(0, start)), [at, bound]];
}
