/** The publisher, killed or held up at every call to R2. */

import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publish } from '../../src/publish/publish.ts';
import { partitionOf } from '../../src/storage/keys.ts';
import {
  clockAt,
  emptyBucket,
  HOUR,
  HOUR_MS,
  keysUnder,
  land,
  later,
  lineAt,
  MINUTE_MS,
  publishedLines,
} from './landing.ts';
import { callsOf, heldUpAt, Killed, killedAt, type Moment, watch } from './watched-bucket.ts';

/** Which of the moments are tried; `npm run prove` tries all. The step is odd, to come before and after calls. */
const EVERY = __THOROUGH__ ? 1 : 5;

/** How many interleavings of several runs are tried; `npm run prove` tries more. */
const INTERLEAVINGS = __THOROUGH__ ? 300 : 10;

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

/** Two hours: one that has been published in part, with repeats of every kind, and another. */
async function scene(): Promise<string[]> {
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

/** What lands while a run is dead or held up: one new line, and the twin of each that is known. */
async function meanwhile(known: readonly string[]): Promise<void> {
  await landing([...known, lineAt(HOUR + 2 * MINUTE_MS)]);
}

/** Runs until nothing is left to do, then compares. */
async function settle(from: number): Promise<void> {
  for (let run = 1; ; run++) {
    const { ended, sources } = await publish(env.BUCKET, clockAt(later(from + run * LEASE_MINUTES)));
    if (ended === 'done' && sources === 0) break;
    if (run > 5) throw new Error('The publisher does not come to an end');
  }
  const published = await publishedLines();
  expect({
    lost: [...sent.difference(new Set(published))],
    twice: published.filter((line, at) => published.indexOf(line) !== at),
    strange: published.filter((line) => !sent.has(line)),
    left: await keysUnder('landing/'),
  }).toEqual({ lost: [], twice: [], strange: [], left: [] });
}

/** Before and after each call of a run through the scene. */
async function moments(): Promise<{ moment: Moment; what: string }[]> {
  await scene();
  const calls = await callsOf((bucket) => publish(bucket, clockAt(later())));
  await emptyBucket();
  const all = calls.flatMap((what, at) =>
    (['before', 'after'] as const).map((when) => ({ moment: { call: at + 1, when }, what })),
  );
  expect(all.length).toBeGreaterThan(30);
  return all.filter((_, at) => at % EVERY === 0);
}

describe('publish() loses nothing and publishes nothing twice', () => {
  test('when it is killed before or after any call', async () => {
    for (const { moment, what } of await moments()) {
      sent = new Set();
      const known = await scene();
      await expect(publish(killedAt(moment), clockAt(later()))).rejects.toThrow(Killed);
      await meanwhile(known);
      await settle(60);
      console.log(`killed ${moment.when} call ${moment.call}, ${what}: ${sent.size} lines, 0 lost, 0 twice`);
      await emptyBucket();
    }
  }, 120_000);

  test('when it is held up at any call while another run, past the lease, does all the work', async () => {
    for (const { moment, what } of await moments()) {
      sent = new Set();
      const known = await scene();
      let others = 0;
      const bucket = heldUpAt(moment, async () => {
        await publish(env.BUCKET, clockAt(later(60 + LEASE_MINUTES)));
        await meanwhile(known);
        await publish(env.BUCKET, clockAt(later(60 + 2 * LEASE_MINUTES)));
        others += 2;
      });
      await publish(bucket, clockAt(later()));
      expect(others).toBe(2);
      await settle(100);
      console.log(`overtaken ${moment.when} call ${moment.call}, ${what}: ${sent.size} lines, 0 lost, 0 twice`);
      await emptyBucket();
    }
  }, 120_000);

  test('when several runs and landing itself interleave in any order, and one of them dies', async () => {
    await fc.assert(
      fc
        .asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 40 }), async (scheduler, lastCall) => {
          sent = new Set();
          const known = await scene();
          const turn = (what: string) => scheduler.schedule(Promise.resolve(), what);
          const runs = [0, 1, 2].map(async (run) => {
            let calls = 0;
            const bucket = watch(async (_, what) => {
              calls += 1;
              if (run === 0 && calls > lastCall) throw new Killed();
              await turn(`run ${run} ${what}`);
            });
            // Each run comes when the lease of the one before has passed, so that none of them stands back.
            await publish(bucket, clockAt(later(60 + run * LEASE_MINUTES)));
          });
          const lands = [1, 2].map(async () => {
            await turn('lines land');
            await meanwhile(known);
          });
          const ended = Promise.allSettled([...runs, ...lands]);
          await scheduler.waitFor(ended);
          for (const result of await ended) {
            if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(Killed);
          }
          await settle(100);
        })
        .afterEach(() => emptyBucket()),
      { numRuns: INTERLEAVINGS },
    );
  }, 240_000);
});
