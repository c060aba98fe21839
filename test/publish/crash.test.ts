/** The publisher, killed or held up at every call to R2. */

import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/publish/limits.ts';
import { publish } from '../../src/publish/publish.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { EVENTS_PARTITIONS, logKey, partitionOf } from '../../src/storage/keys.ts';
import { clockAt, stopBucketTime } from '../clock.ts';
import {
  emptyBucket,
  faultsOfLog,
  HOUR,
  HOUR_MS,
  keysUnder,
  land,
  later,
  lineAt,
  linesOfObject,
  linesOfPart,
  MINUTE_MS,
  publishedLines,
  readLog,
} from './landing.ts';
import { heldUpAt, interleave, Killed, killedAt, momentsOf, watch } from './watched-bucket.ts';

beforeAll(stopBucketTime);

/** How many interleavings of several runs are tried; `npm run prove` tries more. */
const INTERLEAVINGS = __THOROUGH__ ? 300 : 5;

/** Beyond the lease of a run before. */
const LEASE_MINUTES = 10;

const NEXT_HOUR = partitionOf(new Date(HOUR + HOUR_MS));

/** Every line that has landed, once. */
let sent: Set<string>;

beforeEach(() => {
  sent = new Set();
});
afterEach(() => emptyBucket());

async function landing(lines: readonly string[], partition?: string): Promise<void> {
  for (const line of lines) sent.add(line);
  await land(lines, partition);
}

/** What is there when the runs begin. */
interface Scene {
  readonly name: string;
  /** Which of the moments are tried. */
  readonly every: number;
  readonly limits: typeof LIMITS;
  /** Returns the lines that are known. */
  set(): Promise<string[]>;
}

/** Two hours: one that has been published in part, with repeats of every kind, and another. */
async function twoHours(): Promise<string[]> {
  const [a, b, c, d, e] = [0, 1, 2, 3, 4].map((minute) => lineAt(HOUR + minute * MINUTE_MS));
  if (!a || !b || !c || !d || !e) throw new Error('Cannot set the scene');
  await landing([a, b]);
  await publish(env.BUCKET, clockAt(later()));
  await landing([b, c]);
  await landing([c, d, a]);
  await landing([e]);
  await landing([lineAt(HOUR + HOUR_MS), lineAt(HOUR + HOUR_MS + 1)], NEXT_HOUR);
  return [a, b, c, d, e];
}

const SCENES: readonly Scene[] = [
  { name: 'two hours with repeats', every: 11, limits: LIMITS, set: twoHours },
  {
    name: 'two hours one after the other',
    every: 31,
    limits: { ...LIMITS, hoursAtOnce: 1, deleteKeys: 2 },
    set: twoHours,
  },
  {
    name: 'parts that hold one object each, the first with nothing new',
    every: 31,
    limits: { ...LIMITS, partBytes: 0 },
    async set() {
      const lines = [0, 1, 2].map((minute) => lineAt(HOUR + minute * MINUTE_MS));
      await landing(lines);
      await publish(env.BUCKET, clockAt(later()));
      await landing(lines.slice(0, 2));
      await landing([...lines, lineAt(HOUR + 3 * MINUTE_MS)]);
      await landing([lineAt(HOUR + 4 * MINUTE_MS)]);
      return lines;
    },
  },
];

/** What lands while a run is dead or held up: one new line, and the twin of each that is known. */
async function meanwhile(known: readonly string[]): Promise<void> {
  await landing([...known, lineAt(HOUR + 2 * MINUTE_MS)]);
}

/**
 * What holds at every moment: a line that has landed is in `landing/` or in a part that is in the log.
 *
 * @param given - The parts from before, which may be older than the log.
 */
async function expectNothingLost(given: readonly string[]): Promise<void> {
  const kept = new Set<string>();
  const logged = (await readLog()).map(({ key }) => key);
  for (const key of new Set([...given, ...logged])) for (const line of await linesOfPart(key)) kept.add(line);
  for (const key of await keysUnder('landing/')) for (const line of await linesOfObject(key)) kept.add(line);
  expect([...sent.difference(kept)]).toEqual([]);
}

/** What holds at every moment: the log has no gap and no part twice, and what left `landing/` by this run is in it. */
async function expectLogInOrder(): Promise<void> {
  const entries = await readLog();
  expect(entries.map(({ sequence }) => sequence)).toEqual(entries.map((_, at) => at + 1));
  expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
}

/** Runs until nothing is left to do, then compares. */
async function settle(from: number, limits: Scene['limits']): Promise<void> {
  for (let run = 1; ; run++) {
    const { ended, sources } = await publish(env.BUCKET, clockAt(later(from + run * LEASE_MINUTES)), limits);
    if (ended === 'done' && sources === 0) break;
    if (run > 12) throw new Error('The publisher does not come to an end');
  }
  const published = await publishedLines();
  expect({
    lost: [...sent.difference(new Set(published))],
    twice: published.filter((line, at) => published.indexOf(line) !== at),
    strange: published.filter((line) => !sent.has(line)),
    left: await keysUnder('landing/'),
    log: await faultsOfLog(),
  }).toEqual({ lost: [], twice: [], strange: [], left: [], log: [] });
}

/** Before and after each call of a run through the scene. */
async function moments({ set, every, limits }: Scene) {
  await set();
  const all = await momentsOf((bucket) => publish(bucket, clockAt(later()), limits), every, 30);
  await emptyBucket();
  return all;
}

describe.each(SCENES)('publish() loses nothing, publishes nothing twice and logs each part once: $name', (scene) => {
  const { limits, set } = scene;

  test('when it is killed before or after any call', async () => {
    for (const moment of await moments(scene)) {
      sent = new Set();
      const known = await set();
      const given = await keysUnder(EVENTS_PARTITIONS);
      await expect(publish(killedAt(moment), clockAt(later()), limits)).rejects.toThrow(Killed);
      await expectNothingLost(given);
      await expectLogInOrder();
      await meanwhile(known);
      await settle(60, limits);
      await emptyBucket();
    }
  }, 240_000);

  test('when it is killed at any call, and its lease is deleted as the runbook says', async () => {
    for (const moment of await moments(scene)) {
      sent = new Set();
      await set();
      await expect(publish(killedAt(moment), clockAt(later()), limits)).rejects.toThrow(Killed);
      const logged = new Set((await readLog()).map(({ key }) => key));
      await env.BUCKET.delete((await keysUnder(EVENTS_PARTITIONS)).filter((key) => !logged.has(key)));
      await env.BUCKET.delete('publish/lease.json');
      await settle(60, limits);
      await emptyBucket();
    }
  }, 240_000);

  test('when it is held up at any call while another run, past the lease, does all the work', async () => {
    for (const moment of await moments(scene)) {
      sent = new Set();
      const known = await set();
      const given = await keysUnder(EVENTS_PARTITIONS);
      let others = 0;
      const bucket = heldUpAt(moment, async () => {
        await publish(env.BUCKET, clockAt(later(60 + LEASE_MINUTES)), limits);
        await meanwhile(known);
        await publish(env.BUCKET, clockAt(later(60 + 2 * LEASE_MINUTES)), limits);
        others += 2;
      });
      await publish(bucket, clockAt(later()), limits);
      expect(others).toBe(2);
      await expectNothingLost(given);
      await expectLogInOrder();
      await settle(100, limits);
      await emptyBucket();
    }
  }, 240_000);
});

describe('publish() loses nothing, publishes nothing twice and logs each part once', () => {
  test('when several runs and landing itself interleave in any order, and one of them dies', async () => {
    await fc.assert(
      fc
        .asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 60 }), async (scheduler, lastCall) => {
          sent = new Set();
          const known = await twoHours();
          // Each run comes when the lease of the one before has passed, so that none of them stands back.
          const run = (number: number, bucket: Bucket) => publish(bucket, clockAt(later(60 + number * LEASE_MINUTES)));
          const lands = () => meanwhile(known);
          await interleave(scheduler, lastCall, run, [lands, lands]);
          await expectLogInOrder();
          await settle(100, LIMITS);
        })
        .afterEach(() => emptyBucket()),
      { numRuns: INTERLEAVINGS },
    );
  }, 240_000);

  test('when a run comes back to find its rows in a part that is not in the log yet', async () => {
    const lines = [0, 1].map((minute) => lineAt(HOUR + minute * MINUTE_MS));
    for (const line of lines) await landing([line]);
    // Each part holds one object.
    const limits = { ...LIMITS, partBytes: 0 };
    const dies = watch(async ({ when }, _, [key]) => {
      if (when === 'before' && key === logKey(2)) throw new Killed();
    });
    let heldUp = false;
    const bucket = watch(async ({ when }, what, [key]) => {
      if (heldUp || when === 'after' || what !== 'get' || !String(key).startsWith('landing/')) return;
      heldUp = true;
      await expect(publish(dies, clockAt(later(60 + LEASE_MINUTES)), limits)).rejects.toThrow(Killed);
    });
    expect(await publish(bucket, clockAt(later()), limits)).toMatchObject({ ended: 'overtaken', sources: 0 });
    expect(heldUp).toBe(true);
    expect(await readLog()).toHaveLength(1);
    expect(await keysUnder(EVENTS_PARTITIONS)).toHaveLength(2);
    expect(await keysUnder('landing/')).toHaveLength(1);
    await settle(100, limits);
  });

  test('when a run is killed for what it reads, each time', async () => {
    const lines = Array.from({ length: 40 }, (_, at) => lineAt(HOUR + at));
    for (const line of lines) await landing([line]);
    const limits = { ...LIMITS, readsAhead: 1 };
    let runs = 0;
    for (let minutes = 0; (await keysUnder('landing/')).length > 0; minutes += LEASE_MINUTES) {
      runs += 1;
      expect(runs).toBeLessThan(30);
      await publish(outOfMemoryAfter(10), clockAt(later(60 + minutes)), limits).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
    }
    await settle(60 + runs * LEASE_MINUTES, LIMITS);
    expect((await keysUnder(EVENTS_PARTITIONS)).length).toBeGreaterThan(3);
  });
});

/** A bucket whose user dies when it has read so many landing objects for one part. */
function outOfMemoryAfter(most: number): Bucket {
  let read = 0;
  let dead = false;
  return {
    ...watch(async (_, what) => {
      if (dead) throw new Killed();
      if (what === 'put') read = 0;
    }),
    async get(key: string): Promise<R2ObjectBody | null> {
      if (key.startsWith('landing/')) read += 1;
      dead ||= read > most;
      if (dead) throw new Killed();
      return env.BUCKET.get(key);
    },
  };
}
