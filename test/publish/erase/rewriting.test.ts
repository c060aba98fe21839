/** Rewriting parts, and being killed or held up at every call to R2 meanwhile. */

import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKeyedDigest } from '../../../src/guests/digest.ts';
import { eraseRow } from '../../../src/guests/erase-row.ts';
import { ERASE_LIMITS } from '../../../src/publish/erase/limits.ts';
import {
  beginRewriting,
  type RewriteTools,
  type Rewritten,
  type WantedRewrite,
} from '../../../src/publish/erase/rewriting.ts';
import { publish } from '../../../src/publish/publish.ts';
import type { Bucket } from '../../../src/storage/bucket.ts';
import { uuidv7 } from '../../../src/storage/event-id.ts';
import { findLive } from '../../../src/storage/find-live.ts';
import { bucketTime, clockAt, letASecondPass, stopBucketTime } from '../../clock.ts';
import { bucketWith } from '../../stores.ts';
import {
  emptyBucket,
  faultsOfLog,
  followedLines,
  HOUR,
  HOUR_MS,
  idOf,
  keysUnder,
  land,
  later,
  lineAt,
  MINUTE_MS,
  publishedLines,
  readLog,
} from '../landing.ts';
import { heldUpAt, Killed, killedAt, momentsOf, watch } from '../watched-bucket.ts';

const digest = createKeyedDigest('a key for the tests and nothing else');
beforeAll(stopBucketTime);
afterEach(() => emptyBucket());

const EARLIER = lineAt(HOUR + 3, { FirstName: 'Grace' }).replace(/"occurred_at":[^,]+,/, '');
const [A, B, C, D] = [lineAt(HOUR), lineAt(HOUR + 1), lineAt(HOUR + HOUR_MS), lineAt(HOUR + MINUTE_MS)];
const erased = (line: string) => eraseRow(line, digest);

/** Two parts of one hour and one of the next. */
async function threeParts(): Promise<void> {
  await land([A, B, EARLIER]);
  await publish(env.BUCKET, clockAt(later()));
  await land([D]);
  await land([C], 'dt=2026-07-10/hour=10');
  await publish(env.BUCKET, clockAt(later()));
}

const tools = (bucket: Bucket, minutes: number): RewriteTools => ({
  bucket,
  digest,
  clock: clockAt(later(minutes)),
  limits: { ...ERASE_LIMITS, partsAtOnce: 2 },
});

/** Begins to rewrite, as if it were so many minutes later. */
const begin = (minutes: number, bucket: Bucket = env.BUCKET) =>
  beginRewriting(tools(bucket, minutes), uuidv7(), async () => undefined);

/** Every row of a part. */
const allOf = (replaces: string): WantedRewrite => ({ replaces, event_ids: null, named_in: [], erasure_id: null });

/** What the runs of a test have told of. */
let told: Rewritten[];
beforeEach(() => {
  told = [];
});

/** Erases the guests of A, EARLIER and C, in two waves. */
async function run(bucket: Bucket, minutes = 120): Promise<boolean> {
  const rewriting = await beginRewriting(tools(bucket, minutes), uuidv7(), async (rewritten) => {
    told.push(...rewritten);
  });
  if (rewriting === undefined) return false;
  const wanted: WantedRewrite[] = [];
  for (const { key } of await entriesAdded()) {
    const found = await findLive(bucket, key);
    if (found !== undefined) {
      wanted.push({ replaces: found.key, event_ids: [A, EARLIER, C].map(idOf), named_in: [], erasure_id: null });
    }
  }
  const ended = await rewriting.rewrite(wanted);
  await rewriting.close();
  return ended;
}

async function entriesAdded() {
  return (await readLog()).filter(({ operation }) => operation === 'add');
}

/** The first bytes of a body, and then none. */
function cutOff(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return body.pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        controller.enqueue(chunk.subarray(0, chunk.length / 2));
        controller.error(new Error('The connection broke'));
      },
    }),
  );
}

/** What holds at every moment: a reader that follows the log has each event once, with its guest or without. */
async function expectEachOnce(): Promise<void> {
  const ids = (await followedLines()).map(idOf).sort();
  expect(ids).toEqual([A, B, EARLIER, D, C].map(idOf).sort());
}

async function expectErased(): Promise<void> {
  expect((await publishedLines()).sort()).toEqual([erased(A), B, erased(EARLIER), D, erased(C)].sort());
  expect(await faultsOfLog()).toEqual([]);
  await expectEachOnce();
}

describe('beginRewriting()', () => {
  test('takes no part for read whose body breaks off, and erases from it in the next run', async () => {
    await threeParts();
    const before = await publishedLines();
    const breaking = bucketWith({
      async get(key: string) {
        const object = await env.BUCKET.get(key);
        return object !== null && key.startsWith('events/v1/dt=')
          ? { ...object, key, body: cutOff(object.body) }
          : object;
      },
    });
    await expect(run(breaking)).rejects.toThrow('The connection broke');
    expect(await publishedLines()).toEqual(before);
    expect(told).toEqual([]);
    expect(await run(env.BUCKET, 240)).toBe(true);
    await expectErased();
  });

  test('puts parts without the guests in the place of those with them, all else byte for byte', async () => {
    await threeParts();
    const before = await keysUnder('events/v1/dt=');
    expect(await run(env.BUCKET)).toBe(true);
    await expectErased();
    const entries = await readLog();
    expect(entries.map(({ operation }) => operation)).toEqual(['add', 'add', 'add', 'replace', 'replace']);
    expect(told.map(({ replaces, erased: rows }) => [replaces, rows])).toEqual([
      [entries[3]?.replaces, 2],
      [
        entries.find(
          ({ key, partition }) =>
            before.includes(key) && partition === entries[3]?.partition && key !== entries[3]?.replaces,
        )?.key,
        0,
      ],
      [entries[4]?.replaces, 1],
    ]);
  });

  test('says the same of a new part as of any other, and which parts it stands for', async () => {
    await threeParts();
    const [first] = await keysUnder('events/v1/dt=');
    const before = await env.BUCKET.head(first ?? '');
    await run(env.BUCKET);
    const replacing = (await readLog()).find(({ replaces }) => replaces === first);
    const object = await env.BUCKET.head(replacing?.key ?? '');
    const { last_source: _, sha256: __, ...facts } = before?.customMetadata ?? {};
    expect(object?.customMetadata).toMatchObject({ ...facts, erased: '2', stands_for: first?.slice(-46, -10) });
    expect(object?.httpMetadata).toEqual(before?.httpMetadata);
  });

  test('does nothing the second time', async () => {
    await threeParts();
    await run(env.BUCKET);
    const [parts, log] = [await keysUnder('events/v1/dt='), await readLog()];
    await run(env.BUCKET, 240);
    expect([await keysUnder('events/v1/dt='), await readLog()]).toEqual([parts, log]);
  });

  test('stands back while a run publishes, and before one has', async () => {
    expect(await begin(120)).toBeUndefined();
    await threeParts();
    const first = await begin(130);
    expect(await begin(131)).toBeUndefined();
    expect(await publish(env.BUCKET, clockAt(later(131)))).toMatchObject({ ended: 'busy' });
    await first?.close();
    expect(await publish(env.BUCKET, clockAt(later(131)))).toMatchObject({ ended: 'done' });
  });

  /** Moments before and after calls of a run. */
  async function moments() {
    await threeParts();
    const all = await momentsOf((bucket) => run(bucket), 13, 40);
    await emptyBucket();
    return all;
  }

  test('stands back while a part is open, which may be in `events/` and not in the log', async () => {
    await threeParts();
    const lease = await (await env.BUCKET.get('publish/lease.json'))?.json<object>();
    const part = {
      partition: 'dt=2026-07-10/hour=11',
      output: 'events/v1/dt=2026-07-10/hour=11/a.ndjson.gz',
      sources: [],
    };
    letASecondPass();
    await env.BUCKET.put('publish/lease.json', JSON.stringify({ ...lease, parts: [part] }));
    expect(await begin(120)).toBeUndefined();
  });

  test('waits a second before it writes what it is rewriting once more', async () => {
    await threeParts();
    const times = new Map<string, number[]>();
    const bucket = watch(async ({ when }, what, [key]) => {
      if (when === 'before' && what === 'put') {
        times.set(String(key), [...(times.get(String(key)) ?? []), bucketTime()]);
      }
    });
    const rewriting = await begin(120, bucket);
    const wanted = (await readLog()).map(({ key }) => allOf(key));
    expect(await rewriting?.rewrite(wanted)).toBe(true);
    await rewriting?.close();
    for (const key of ['publish/lease.json', 'erasures/state.json']) {
      const written = times.get(key) ?? [];
      expect(written.length, key).toBeGreaterThan(2);
      for (const [at, time] of written.slice(1).entries()) {
        expect(time - (written[at] ?? 0), key).toBeGreaterThanOrEqual(1_000);
      }
    }
  });

  test('has each event in the log once at every call', async () => {
    await threeParts();
    let looked = 0;
    await run(
      watch(async () => {
        await expectEachOnce();
        looked += 1;
      }),
    );
    expect(looked).toBeGreaterThan(40);
  });

  test('is finished by the next run when it is killed before or after any call', async () => {
    for (const moment of await moments()) {
      await threeParts();
      told = [];
      await expect(run(killedAt(moment))).rejects.toThrow(Killed);
      await expectEachOnce();
      // What was killed is published as before, twins too.
      await land([A, B, lineAt(HOUR + 2 * MINUTE_MS)]);
      await publish(env.BUCKET, clockAt(later(160)));
      expect((await publishedLines()).length - 6, `${moment.when} ${moment.call}`).toBeLessThanOrEqual(3);
      expect(await run(env.BUCKET, 180)).toBe(true);
      const lines = await publishedLines();
      expect(lines.filter((line) => line.includes('"first_name":null')).sort()).toEqual(
        [A, EARLIER, C].map(erased).sort(),
      );
      expect(lines.map(idOf).sort()).toEqual([...new Set(lines.map(idOf))].sort());
      expect(lines).toHaveLength(6);
      expect(await faultsOfLog()).toEqual([]);
      // Each rewriting was told of, by the run that did it or by the one after.
      const rows = new Map(told.map(({ key, erased: count }) => [key, count]));
      expect(rows.values().reduce((sum, count) => sum + count, 0)).toBe(3);
      await emptyBucket();
    }
  }, 240_000);

  test('comes to the same end when another run does everything while it is held up at any call', async () => {
    for (const moment of await moments()) {
      await threeParts();
      let others = 0;
      const bucket = heldUpAt(moment, async () => {
        others += 1;
        await run(env.BUCKET, 130);
      });
      await run(bucket).catch((error: unknown) => expect(String(error)).toContain('another run'));
      expect(others).toBe(1);
      await run(env.BUCKET, 140);
      await expectErased();
      await emptyBucket();
    }
  }, 240_000);
});
