/** The table's writer, killed or held up at every call to R2. */

import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Bucket } from '../../src/storage/bucket.ts';
import { type Line, toLine } from '../../src/storage/line.ts';
import { runTable } from '../../src/table/run-table.ts';
import { stopBucketTime } from '../clock.ts';
import { emptyBucket, HOUR, HOUR_MS, later, lineAt, linesOfPart } from '../publish/landing.ts';
import { heldUpAt, interleave, Killed, killedAt, momentsOf } from '../publish/watched-bucket.ts';
import { completeThrough, publishPart, replacePart, toolsAt } from './events.ts';
import { faultsOfTable, idsByPart, publishedRows, rowsOf, snapshots, unnamedObjects } from './read-table.ts';

/** How many interleavings of several runs are tried; `npm run prove` tries more. */
const INTERLEAVINGS = __THOROUGH__ ? 60 : 3;

const DAY_MS = 24 * HOUR_MS;
const OVER_AN_HOUR = 70;

beforeAll(stopBucketTime);
beforeEach(() => emptyBucket());
afterEach(() => emptyBucket());

const run = async (minutes: number, bucket: Bucket) => runTable(await toolsAt(later(minutes), { bucket }));

/** A day of two small files, a part of it that was replaced, new parts of another day, and a replacement among those. */
async function scene(): Promise<Map<number, string[]>> {
  const first = await publishPart(1, [lineAt(HOUR), lineAt(HOUR + 1)]);
  await run(0, env.BUCKET);
  const second = await publishPart(2, [lineAt(HOUR + 2)]);
  await run(2, env.BUCKET);
  const third = await publishPart(3, [lineAt(HOUR + DAY_MS)]);
  const fourth = await publishPart(4, [lineAt(HOUR + DAY_MS + 1)]);
  const ids = await idsByPart([first, second, third, fourth]);
  await replacePart(5, first, await erased(first.key));
  await replacePart(6, fourth, await erased(fourth.key));
  await completeThrough('2026-07-11T00:00:00.000Z', 6);
  return ids;
}

/** The lines of a part, without the guest. */
async function erased(key: string): Promise<Line[]> {
  return (await linesOfPart(key)).map((line) => toLine({ ...JSON.parse(line), last_name: null }));
}

/** Runs until nothing is left to do, then compares. */
async function settle(ids: Map<number, string[]>, from: number): Promise<void> {
  for (const minutes of [0, OVER_AN_HOUR, 2 * OVER_AN_HOUR]) {
    expect(await run(from + minutes, env.BUCKET)).toMatchObject({ ended: 'done' });
  }
  expect(await faultsOfTable(ids)).toEqual([]);
  expect(await rowsOf()).toEqual(await publishedRows());
  for (const snapshot of await snapshots()) expect((await rowsOf(snapshot)).filter(isErased)).toEqual([]);
  expect(await unnamedObjects()).toEqual([]);
}

const isErased = ({ part }: { part: number }) => part === 1 || part === 4;

/** Before and after each call of a run through the scene. */
async function moments() {
  await scene();
  const all = await momentsOf((bucket) => run(OVER_AN_HOUR, bucket), 31, 60);
  await emptyBucket();
  return all;
}

describe('runTable() loses nothing, commits nothing twice and leaves nothing behind', () => {
  test('when it is killed before or after any call', async () => {
    for (const moment of await moments()) {
      const ids = await scene();
      await expect(run(OVER_AN_HOUR, killedAt(moment))).rejects.toThrow(Killed);
      expect(await faultsOfTable(ids)).toEqual([]);
      await settle(ids, 2 * OVER_AN_HOUR);
      await emptyBucket();
    }
  }, 240_000);

  test('when it is held up at any call while another run does all the work', async () => {
    for (const moment of await moments()) {
      const ids = await scene();
      let others = 0;
      const bucket = heldUpAt(moment, async () => {
        others += 1;
        await run(OVER_AN_HOUR + 1, env.BUCKET);
      });
      await run(OVER_AN_HOUR, bucket);
      expect(others).toBe(1);
      expect(await faultsOfTable(ids)).toEqual([]);
      await settle(ids, 2 * OVER_AN_HOUR);
      await emptyBucket();
    }
  }, 240_000);

  test('when several runs interleave in any order, and one of them dies', async () => {
    await fc.assert(
      fc
        .asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 60 }), async (scheduler, lastCall) => {
          const ids = await scene();
          await interleave(scheduler, lastCall, (number, bucket) => run(OVER_AN_HOUR + number, bucket));
          expect(await faultsOfTable(ids)).toEqual([]);
          await settle(ids, 2 * OVER_AN_HOUR);
        })
        .afterEach(() => emptyBucket()),
      { numRuns: INTERLEAVINGS },
    );
  }, 240_000);
});
