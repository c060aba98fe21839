/** What is chosen once for a seed: how much happens, how well the platform does, and for how long. */

import type { Random } from '../faults/random.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** How far two clocks differ at most. */
export const CLOCKS_MS = 5 * MINUTE_MS;

/** From when to when something is down, in milliseconds from the start. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

/** The circumstances of a run. */
export type Profile = Readonly<ReturnType<typeof chooseOrdinary>>;

/** Chooses the circumstances: in most seeds a little of everything, in some one thing that rarely comes by itself. */
export function chooseProfile(random: Random): Profile {
  const ordinary = chooseOrdinary(random);
  const { activeMs } = ordinary;
  switch (random.pick(SCENES)) {
    case 'ordinary':
      return ordinary;
    case 'R2 is down for more than a day':
      return {
        ...ordinary,
        activeMs: 30 * HOUR_MS,
        arrivalMs: 30 * HOUR_MS,
        events: random.int(10, 40),
        bucketOutages: [{ from: HOUR_MS, to: 27 * HOUR_MS }],
        maxDeliveries: 101,
      };
    case 'dead letters wait long, and are rarely counted':
      return {
        ...ordinary,
        activeMs: 9 * HOUR_MS,
        arrivalMs: 9 * HOUR_MS,
        events: random.int(10, 40),
        bucketOutages: [{ from: random.int(0, HOUR_MS), to: random.int(2 * HOUR_MS, 4 * HOUR_MS) }],
        cronOutages: [],
        maxDeliveries: 4,
        hidePercent: 100,
      };
    case 'the queue is not delivered, and no age is known':
      return {
        ...ordinary,
        bucketOutages: [],
        deliveryOutages: [{ from: random.int(0, 20) * MINUTE_MS, to: activeMs }],
        ageOutages: [{ from: 35 * MINUTE_MS, to: activeMs }],
      };
    case 'a backlog is gathered when the watermark is about to pass it':
      return {
        ...ordinary,
        arrivalMs: 10 * MINUTE_MS,
        events: random.int(40, 80),
        bucketOutages: [],
        queueOutages: [],
        cronOutages: [],
        deliveryOutages: [{ from: 15 * MINUTE_MS, to: random.int(45, 60) * MINUTE_MS }],
        ageOutages: [],
        cronMissPercent: 0,
        agelessPercent: 0,
        skewMs: 0,
        listPage: 1,
        gathers: true,
        otherPublisher: false,
        erases: false,
      };
    case 'messages wait for days in the queue, and then for days as dead letters':
      return {
        ...ordinary,
        activeMs: 6 * HOUR_MS,
        arrivalMs: HOUR_MS,
        events: random.int(10, 40),
        queueOutages: [],
        deliveryOutages: [{ from: random.int(0, 20) * MINUTE_MS, to: 2 * HOUR_MS }],
        bucketOutages: [{ from: 2 * HOUR_MS, to: 5 * HOUR_MS }],
        maxDeliveries: 4,
        erases: true,
        sleeps: [
          { at: 1.2 * HOUR_MS, forMs: random.int(8, 13) * DAY_MS },
          { at: 4.2 * HOUR_MS, forMs: random.int(8, 13) * DAY_MS },
        ],
      };
    case 'the queue is not delivered, and its metrics lie':
      return {
        ...ordinary,
        bucketOutages: [],
        deliveryOutages: [{ from: random.int(0, 20) * MINUTE_MS, to: activeMs }],
        metricsLie: true,
      };
  }
}

const SCENES = [
  'ordinary',
  'ordinary',
  'ordinary',
  'ordinary',
  'ordinary',
  'ordinary',
  'ordinary',
  'ordinary',
  'ordinary',
  'ordinary',
  'ordinary',
  'ordinary',
  'R2 is down for more than a day',
  'dead letters wait long, and are rarely counted',
  'the queue is not delivered, and no age is known',
  'the queue is not delivered, and its metrics lie',
  'a backlog is gathered when the watermark is about to pass it',
  'messages wait for days in the queue, and then for days as dead letters',
] as const;

function chooseOrdinary(random: Random) {
  const activeMs = random.int(60, 180) * MINUTE_MS;
  const outages = (percent: number, longestMs: number): Outage[] => {
    if (!random.chance(percent)) return [];
    const from = random.int(0, Math.floor(activeMs / 2));
    return [{ from, to: Math.min(from + random.int(1, longestMs), activeMs) }];
  };
  return {
    /** For how long events come and things fail, and for how long events come; in milliseconds. */
    activeMs,
    arrivalMs: activeMs,
    events: random.int(10, 80),
    /** How many of a hundred calls go wrong, and how many actors are killed, within which time of an invocation. */
    faultPercent: random.pick([0, 3, 10, 25]),
    killPercent: random.pick([0, 3, 15]),
    bucketOutages: outages(40, 90 * MINUTE_MS),
    queueOutages: outages(30, 40 * MINUTE_MS),
    cronOutages: outages(25, 60 * MINUTE_MS),
    /** When nothing is delivered, although R2 would take it. */
    deliveryOutages: outages(40, 120 * MINUTE_MS),
    /** When no reading knows the age of a message. */
    ageOutages: outages(20, 60 * MINUTE_MS),
    /** How many of a hundred crons do not come, and how many come twice. */
    cronMissPercent: random.pick([0, 5, 30]),
    cronTwicePercent: random.pick([0, 5, 30]),
    /** How many deliveries a queue makes before it gives a message to its dead-letter queue. */
    maxDeliveries: random.pick([4, 6, 101]),
    /** How many of a hundred readings do not count a message although they could, and how many know no age. */
    hidePercent: random.pick([0, 30, 80, 100]),
    agelessPercent: random.pick([0, 0, 20, 60]),
    /** Whether the metrics are wrong for longer than the watermark takes into account. */
    metricsLie: false,
    killWithinMs: random.pick([3 * SECOND_MS, 3 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS]),
    /** How far the clocks of isolates and of R2 are off at most: two of them by 5 minutes. */
    skewMs: random.pick([0, 30 * SECOND_MS, 120 * SECOND_MS, 145 * SECOND_MS]),
    /** How many messages a queue holds before it refuses more. */
    queueCapacity: random.pick([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 4]),
    /** How many objects a page of a listing has at most. */
    listPage: random.pick([1, 3, 7, 1_000]),
    /** How many of a hundred messages are foreign. */
    foreignPercent: random.pick([0, 5, 20]),
    /** Whether consumers gather what a run cannot read. */
    gathers: random.chance(60),
    /** Whether a publisher with other limits, which has nothing gathered, is at work, too. */
    otherPublisher: random.chance(30),
    /** How many bodies are refused, and how many of a hundred requests are batches. */
    refusedBodies: random.int(0, 8),
    batchPercent: random.pick([0, 30]),
    /** Whether guests ask to be erased, and whether those of days that are over are erased without being asked for. */
    erases: random.chance(60),
    expires: random.chance(50),
    /** When the table shows no guests any more, in milliseconds from the start; undefined when it goes on showing them. */
    hidesFromMs: random.chance(25) ? random.int(0, activeMs) : undefined,
    /** How many of a hundred runs of a cron have no PSEUDONYM_KEY, as an old version of the Worker may. */
    keylessPercent: random.pick([0, 0, 25]),
    /** Whether alarms are posted, and when nothing can be posted. */
    alarms: random.chance(40),
    webhookOutages: outages(20, 60 * MINUTE_MS),
    /** Days that pass at once. Nothing is done in them, and whatever waits grows older. */
    sleeps: random.chance(25) ? [{ at: random.int(0, activeMs), forMs: random.int(1, 10) * DAY_MS }] : [],
  };
}
