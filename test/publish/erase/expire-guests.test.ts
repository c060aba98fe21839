import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createKeyedDigest } from '../../../src/guests/digest.ts';
import { eraseRow } from '../../../src/guests/erase-row.ts';
import { expireGuests } from '../../../src/publish/erase/expire-guests.ts';
import { ERASE_LIMITS } from '../../../src/publish/erase/limits.ts';
import { beginRewriting } from '../../../src/publish/erase/rewriting.ts';
import { LIMITS } from '../../../src/publish/limits.ts';
import { publish } from '../../../src/publish/publish.ts';
import type { Bucket } from '../../../src/storage/bucket.ts';
import { uuidv7 } from '../../../src/storage/event-id.ts';
import { partitionOf } from '../../../src/storage/keys.ts';
import { clockAt, stopBucketTime } from '../../clock.ts';
import {
  emptyBucket,
  faultsOfLog,
  followedLines,
  HOUR,
  HOUR_MS,
  idOf,
  land,
  later,
  lineAt,
  MINUTE_MS,
  publishedLines,
  readLog,
} from '../landing.ts';
import { callsOf, heldUpAt, Killed, killedAt, momentsOf } from '../watched-bucket.ts';
import { PSEUDONYM_KEY } from './request.ts';

const DAY_MS = 24 * HOUR_MS;
/** Rows of the first day are older than so many days at {@link OVER}, those of the next day are not. */
const KEEP_DAYS = 30;
/** Parts count as old by when R2 took them, which is now. */
const LONG = 400 * DAY_MS;
const OVER = Date.parse('2026-07-11T00:00:00.000Z') + KEEP_DAYS * DAY_MS;

const GUEST = { FirstName: 'zuzana', Email: 'zuzana@example.com', CustomerId: 'zuzana-77', StaffComment: 'zuzana' };
const [A, B, C, NEXT_DAY, LATE] = [
  lineAt(HOUR, GUEST),
  lineAt(HOUR + 1),
  lineAt(HOUR + HOUR_MS, GUEST),
  lineAt(HOUR + DAY_MS, GUEST),
  lineAt(HOUR + 2, GUEST),
];

const digest = createKeyedDigest(PSEUDONYM_KEY);
beforeAll(stopBucketTime);
afterEach(() => emptyBucket());

const erased = (line: string) => eraseRow(line, digest);
const limits = { ...ERASE_LIMITS, writeIntervalMs: 0, minAgeMs: -LONG };

/** Runs as if it were then. */
const run = (now = OVER, more = {}, bucket: Bucket = env.BUCKET) =>
  expireGuests({ bucket, digest, clock: clockAt(now), limits: { ...limits, ...more } }, KEEP_DAYS);

/** Three parts, two of them of a day that is over. */
async function scene(): Promise<void> {
  await land([A, B]);
  await land([C], partitionOf(new Date(HOUR + HOUR_MS)));
  await land([NEXT_DAY], partitionOf(new Date(HOUR + DAY_MS)));
  await publish(env.BUCKET, clockAt(later()));
}

const expired = () => [erased(A), erased(B), erased(C), NEXT_DAY];

async function expectLines(lines: readonly string[]): Promise<void> {
  expect((await publishedLines()).sort()).toEqual(lines.toSorted());
  expect((await followedLines()).sort()).toEqual(lines.toSorted());
  expect(await faultsOfLog()).toEqual([]);
}

describe('expireGuests()', () => {
  test('erases every guest of days that are over, and no other', async () => {
    await scene();
    expect(await run(OVER - 1)).toEqual({ ended: 'done', parts: 0, rows: 0 });
    await expectLines([A, B, C, NEXT_DAY]);
    expect(await run(OVER + HOUR_MS)).toEqual({ ended: 'done', parts: 2, rows: 3 });
    await expectLines(expired());
  });

  test('does nothing the second time, not even when its state is gone', async () => {
    await scene();
    await run();
    expect(await callsOf((bucket) => run(OVER + 1, {}, bucket))).toEqual(['get']);
    expect(await run(OVER + 2 * HOUR_MS)).toEqual({ ended: 'done', parts: 0, rows: 0 });
    await env.BUCKET.delete('publish/expiry.json');
    expect(await run(OVER + 2 * HOUR_MS)).toEqual({ ended: 'done', parts: 0, rows: 0 });
    await expectLines(expired());
  });

  test('takes on a few parts in each run', async () => {
    await scene();
    expect(await run(OVER, { runParts: 1 })).toEqual({ ended: 'more', parts: 1, rows: 2 });
    expect(await run(OVER + MINUTE_MS, { runParts: 1 })).toMatchObject({ parts: 1, rows: 1 });
    await run(OVER + 2 * MINUTE_MS, { runParts: 1 });
    await expectLines(expired());
  });

  test('erases what comes late to a day that was over', async () => {
    await scene();
    await run();
    await land([LATE]);
    await publish(env.BUCKET, clockAt(later(200)));
    expect(await run(OVER + 2 * HOUR_MS)).toEqual({ ended: 'done', parts: 1, rows: 1 });
    await expectLines([...expired(), erased(LATE)]);
  });

  test('waits with a part that a run which is held up could still create', async () => {
    await scene();
    const now = Date.now();
    const young = { minAgeMs: now + 16 * MINUTE_MS };
    expect(await run(OVER, young)).toEqual({ ended: 'more', parts: 0, rows: 0 });
    expect(await run(OVER + MINUTE_MS)).toEqual({ ended: 'done', parts: 2, rows: 3 });
  });

  test('passes by the parts that it has rewritten itself, however young', async () => {
    await scene();
    await land([LATE]);
    await publish(env.BUCKET, clockAt(later(200)));
    const { objects } = await env.BUCKET.list({ prefix: 'events/v1/dt=' });
    const youngest = Math.max(...objects.map(({ uploaded }) => uploaded.getTime()));
    await vi.waitUntil(() => Date.now() > youngest, { interval: 1 });
    // As old as it has to be is what was there before, and nothing that a run makes.
    const old = (now: number) => ({ minAgeMs: now - youngest, runParts: 1 });
    const runs = [];
    for (const minute of [0, 1, 2]) runs.push(await run(OVER + minute * MINUTE_MS, old(OVER + minute * MINUTE_MS)));
    expect(runs.map(({ ended, parts }) => [ended, parts])).toEqual([
      ['more', 1],
      ['more', 1],
      ['done', 1],
    ]);
    await expectLines([...expired(), erased(LATE)]);
  });

  test('erases the other guests of a part in which one was erased before, and is done with it then', async () => {
    await scene();
    const tools = { bucket: env.BUCKET, digest, clock: clockAt(OVER - HOUR_MS), limits };
    const rewriting = await beginRewriting(tools, uuidv7(), async () => undefined);
    const [first] = await readLog();
    const event_ids = [idOf(A)];
    await rewriting?.rewrite([{ replaces: first?.key ?? '', event_ids, named_in: [], erasure_id: null }]);
    await rewriting?.close();
    await expectLines([erased(A), B, C, NEXT_DAY]);
    expect(await run()).toEqual({ ended: 'done', parts: 2, rows: 2 });
    await expectLines(expired());
    await env.BUCKET.delete('publish/expiry.json');
    // Even of a part that is too young it is known that nothing is left.
    expect(await run(OVER, { minAgeMs: LONG })).toEqual({ ended: 'done', parts: 0, rows: 0 });
  });

  test('goes on with the next day when that is over', async () => {
    await scene();
    await run();
    expect(await run(OVER + DAY_MS)).toEqual({ ended: 'done', parts: 1, rows: 1 });
    await expectLines([erased(A), erased(B), erased(C), erased(NEXT_DAY)]);
  });

  test('finishes whatever a run left that was killed before or after any call, or held up there', async () => {
    await scene();
    const calls = await callsOf((bucket) => run(OVER, {}, bucket));
    expect(calls.filter((call) => call === 'put').length).toBeGreaterThan(6);
    await emptyBucket();
    await scene();
    for (const moment of await momentsOf((bucket) => run(OVER, {}, bucket), 13, 2 * calls.length - 1)) {
      await emptyBucket();
      await scene();
      await expect(run(OVER, {}, killedAt(moment))).rejects.toThrow(Killed);
      // A reader who follows the log has each event once, erased or not yet.
      expect((await followedLines()).map(idOf).sort()).toEqual([A, B, C, NEXT_DAY].map(idOf).sort());
      await settle();

      await emptyBucket();
      await scene();
      await run(OVER, {}, heldUpAt(moment, settle));
      await settle();
    }
  }, 120_000);
});

/** Runs until nothing is left, each time past the lease of the run before. */
async function settle(): Promise<void> {
  for (let more = 1; more <= 3; more++) await run(OVER + more * (LIMITS.leaseMs + HOUR_MS));
  await expectLines(expired());
}
