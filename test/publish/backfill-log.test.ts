import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/publish/limits.ts';
import { publish } from '../../src/publish/publish.ts';
import { partitionOf } from '../../src/storage/keys.ts';
import {
  clockAt,
  emptyBucket,
  faultsOfLog,
  forgetLog,
  HOUR,
  HOUR_MS,
  keysUnder,
  land,
  later,
  lineAt,
  readLog,
} from './landing.ts';

afterEach(() => emptyBucket());

/** Publishes an hour each. */
async function publishHours(count: number): Promise<void> {
  for (let hour = 0; hour < count; hour++) {
    const time = HOUR + hour * HOUR_MS;
    await land([lineAt(time), lineAt(time + 1)], partitionOf(new Date(time)));
  }
  await publish(env.BUCKET, clockAt(later()));
}

describe('backfillLog()', () => {
  test('gives an entry to each part that has none, in the order of their keys, so many a run', async () => {
    await publishHours(5);
    await forgetLog();
    const limits = { ...LIMITS, backfillParts: 2 };
    const runs = [];
    for (const run of [1, 2, 3]) runs.push(await publish(env.BUCKET, clockAt(later(60 + run)), limits));
    expect(runs).toMatchObject([
      { log_sequence: 2, log_complete: false },
      { log_sequence: 4, log_complete: false },
      { log_sequence: 5, log_complete: true },
    ]);
    expect((await readLog()).map(({ key }) => key)).toEqual(await keysUnder('events/v1/dt='));
    expect(await faultsOfLog()).toEqual([]);
  });

  test('ends a run when it has read enough', async () => {
    await publishHours(2);
    await forgetLog();
    expect(await publish(env.BUCKET, clockAt(later()), { ...LIMITS, backfillBytes: 1 })).toMatchObject({
      log_sequence: 1,
      log_complete: false,
    });
  });

  test('finds what a version without a log has published in between, wherever it lies', async () => {
    await publishHours(3);
    const [, second] = await readLog();
    // Such a version writes neither the entry nor what this one has remembered.
    await forgetLog();
    await publish(env.BUCKET, clockAt(later()));
    const early = HOUR - HOUR_MS;
    await land([lineAt(early)], partitionOf(new Date(early)));
    await publish(env.BUCKET, clockAt(later()));
    await env.BUCKET.delete('events/v1/_log/00000000000000000004.json');
    await env.BUCKET.put('publish/register.json', JSON.stringify({ run: 'before', lease_until: 0, journal: null }));
    expect(await publish(env.BUCKET, clockAt(later()))).toMatchObject({ log_sequence: 4, log_complete: true });
    const entries = await readLog();
    expect(entries.map(({ partition }) => partition)).toEqual(
      [0, 1, 2, -1].map((hour) => partitionOf(new Date(HOUR + hour * HOUR_MS))),
    );
    expect(entries[1]).toEqual({ ...second, committed_at: entries[1]?.committed_at });
    expect(await faultsOfLog()).toEqual([]);
  });

  test('leaves out what is no part, and goes on', async () => {
    await publishHours(2);
    const [first = ''] = await keysUnder('events/v1/dt=');
    await forgetLog();
    await env.BUCKET.put(first, 'no gzip');
    expect(await publish(env.BUCKET, clockAt(later()))).toMatchObject({ log_sequence: 1, log_complete: true });
  });

  test('costs nothing once it is done', async () => {
    await publishHours(1);
    await publish(env.BUCKET, clockAt(later()));
    const before = await env.BUCKET.head('publish/register.json');
    expect(await publish(env.BUCKET, clockAt(later()))).toMatchObject({ log_sequence: 1, log_complete: true });
    expect((await env.BUCKET.head('publish/register.json'))?.etag).toBe(before?.etag);
  });
});
