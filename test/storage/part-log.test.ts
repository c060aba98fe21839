import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { afterEach, describe, expect, test } from 'vitest';
import { LOG_PREFIX, logKey } from '../../src/storage/keys.ts';
import { createPartLog, findLastSequence } from '../../src/storage/part-log.ts';
import { clockAt, letASecondPass } from '../clock.ts';
import { emptyBucket } from '../publish/landing.ts';
import { entryOf } from '../records.ts';
import { bucketWith } from '../stores.ts';

afterEach(() => emptyBucket());

const NOW = Date.parse('2026-07-10T10:05:00.000Z');

const ENTRIES = Array.from({ length: 4 }, () => entryOf(v7()));

async function logged(): Promise<string[]> {
  const { objects } = await env.BUCKET.list({ prefix: LOG_PREFIX });
  const entries = objects.map(async ({ key }) => (await env.BUCKET.get(key))?.json<{ key: string }>());
  return (await Promise.all(entries)).map((entry) => entry?.key ?? '');
}

describe('createPartLog()', () => {
  test('appends an entry once, its members in order', async () => {
    const [first, second] = ENTRIES;
    if (first === undefined || second === undefined) throw new Error('Cannot set the scene');
    const log = createPartLog(env.BUCKET, 0, clockAt(NOW));
    for (const entry of [first, first, second]) await log.append(entry);
    expect(log.sequence).toBe(2);
    const object = await env.BUCKET.get(logKey(1));
    expect(await object?.text()).toBe(
      JSON.stringify({ sequence: 1, committed_at: '2026-07-10T10:05:00.000Z', ...first }),
    );
    expect(object?.customMetadata).toEqual({ key: first.key });
  });

  test('waits for a second when R2 refuses to be asked, and there is no entry yet', async () => {
    const waits: number[] = [];
    const clock = { now: () => NOW, wait: async (milliseconds: number) => void waits.push(milliseconds) };
    let puts = 0;
    const bucket = bucketWith({
      put: async (...args: Parameters<R2Bucket['put']>) => {
        if (puts++ === 0) throw new Error('put: Reduce your concurrent request rate (10058)');
        return env.BUCKET.put(...args);
      },
    });
    await createPartLog(bucket, 0, clock).append(entryOf(v7()));
    expect(waits).toEqual([1_100]);
    expect(await logged()).toHaveLength(1);
  });

  test('gives each of several that append at once a place of its own, and each part one entry', async () => {
    await fc.assert(
      fc
        .asyncProperty(fc.scheduler(), async (scheduler) => {
          const bucket = {
            get: scheduler.scheduleFunction((key: string) => env.BUCKET.get(key)),
            put: scheduler.scheduleFunction((...args: Parameters<R2Bucket['put']>) => {
              letASecondPass();
              return env.BUCKET.put(...args);
            }),
          } as unknown as Pick<R2Bucket, 'get' | 'put'>;
          const writers = [ENTRIES, ENTRIES.toReversed(), ENTRIES.slice(1)].map(async (entries) => {
            const log = createPartLog(bucket, 0, clockAt(NOW));
            for (const entry of entries) await log.append(entry);
          });
          await scheduler.waitFor(Promise.all(writers));
          expect((await logged()).sort()).toEqual(ENTRIES.map(({ key }) => key).sort());
        })
        .afterEach(async () => env.BUCKET.delete(ENTRIES.map((_, at) => logKey(at + 1)))),
      { numRuns: __THOROUGH__ ? 300 : 10 },
    );
  });

  test('stops at what is no entry', async () => {
    await env.BUCKET.put(logKey(1), 'anything');
    await expect(createPartLog(env.BUCKET, 0, clockAt(NOW)).append(entryOf(v7()))).rejects.toThrow(
      `Cannot read ${logKey(1)}: it is not what this service writes there; restore it`,
    );
  });
});

describe('findLastSequence()', () => {
  test.each([0, 1, 2, 3, 4, 7, 8, 9, 31, 33])('finds %i', async (last) => {
    for (let sequence = 1; sequence <= last; sequence++) await env.BUCKET.put(logKey(sequence), '{}');
    expect(await findLastSequence(env.BUCKET)).toBe(last);
  });

  test('finds the end behind a gap', async () => {
    for (const sequence of [1, 2, 11, 40]) await env.BUCKET.put(logKey(sequence), '{}');
    expect(await findLastSequence(env.BUCKET)).toBe(40);
  });
});
