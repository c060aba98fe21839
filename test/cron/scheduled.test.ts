import { createScheduledController, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../src/config.ts';
import worker from '../../src/index.ts';
import { publish } from '../../src/publish/publish.ts';
import { clockAt, waitInNoTime } from '../clock.ts';
import { askToErase, PSEUDONYM_KEY } from '../publish/erase/request.ts';
import { HOUR, idOf, keysUnder, land, later, lineAt } from '../publish/landing.ts';
import { watermarkOf } from '../records.ts';
import { bucketWith, outOfOrder } from '../stores.ts';
import { watchLog, watchPoints } from '../telemetry/watch.ts';

beforeEach(waitInNoTime);

afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

const lastRun = async () => (await env.BUCKET.get('publish/last-run.json'))?.json<Record<string, unknown>>();

/** Runs as if it were some time, and returns the log lines and data points by their columns. */
async function runAt(time: number, using: Env = env) {
  const [lines, points] = [watchLog(), watchPoints()];
  const controller = createScheduledController({ cron: env.PUBLISH_CRON, scheduledTime: new Date(time) });
  const failure = await worker.scheduled(controller, using).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { lines, points, failure };
}

const unlistable = bucketWith({ list: outOfOrder });

describe('runScheduled()', () => {
  test('tells what a run has done, and which version did it', async () => {
    await land([lineAt(HOUR), lineAt(HOUR + 1)]);
    const time = later();
    const complete_through = new Date(Date.now() - 7_200_000).toISOString();
    await env.BUCKET.put('events/v1/_watermark.json', JSON.stringify(watermarkOf(complete_through)));
    const { lines, points } = await runAt(time);
    const version = env.VERSION.id;
    expect(version).toMatch(/^[\da-f-]{36}$/);
    const run = { ended: 'done', rows: 2, objects: 1 };
    const times = { lag_ms: expect.any(Number), duration_ms: expect.any(Number) };
    expect(lines).toContainEqual({ event: 'run', ...run, ...times, version });
    expect(lines.find(({ event }) => event === 'run')?.lag_ms).toBeGreaterThanOrEqual(7_200_000);
    expect(lines.filter((line) => line.version !== version)).toEqual([]);
    expect(points).toEqual([
      expect.objectContaining({ kind: 'run', outcome: 'done', source: 'publish', count: 2, objects: 1, version }),
    ]);
    const started_at = new Date(time).toISOString();
    expect(await lastRun()).toMatchObject({ ...run, started_at, last_good_at: started_at, version });
    expect((await lastRun())?.pseudonym_key_check).toBeNull();
  });

  test('tells what it has done for guests who are to be erased, and since when that is not finished', async () => {
    await land([lineAt(HOUR)]);
    await publish(env.BUCKET, clockAt(later()));
    const [part = ''] = await keysUnder('events/v1/dt=');
    const event_ids = [idOf(lineAt(HOUR))];
    const request = await askToErase(['email:zoe@example.com'], { parts: [{ key: part, event_ids, named_in: [] }] });
    // The part is too young.
    const { lines, points } = await runAt(Date.now(), { ...env, PSEUDONYM_KEY });
    const erased = { ended: 'more', parts: 0, rows: 0, unfinished_since: request.requested_at, requests: 1 };
    expect(lines).toContainEqual(expect.objectContaining({ event: 'erased', ...erased }));
    expect(points).toContainEqual(
      expect.objectContaining({ kind: 'run', outcome: 'more', source: 'erase', count: 0, objects: 0 }),
    );
    expect(await lastRun()).toMatchObject({
      ended: 'done',
      unfinished_erasure_since: request.requested_at,
      pseudonym_key_check: request.key_check,
    });
  });

  test.each([
    ['no key', { KEEP_GUEST_COLUMNS_DAYS: '30' }, /needs the secret PSEUDONYM_KEY/],
    ['a number of days that is none', { KEEP_GUEST_COLUMNS_DAYS: 'a month', PSEUDONYM_KEY }, /KEEP_GUEST_COLUMNS_DAYS/],
  ])('publishes as ever when guests cannot expire, for %s, and says why', async (_, settings, message) => {
    await land([lineAt(HOUR)]);
    const { lines, failure } = await runAt(later(), { ...env, ...settings });
    expect(failure).toBeUndefined();
    expect(lines).toContainEqual(
      expect.objectContaining({ event: 'expiry_failed', message: expect.stringMatching(message) }),
    );
    expect(await lastRun()).toMatchObject({ ended: 'done', rows: 1, objects: 1 });
  });

  test('tells that a run has failed, remembers the last good one, and fails', async () => {
    await runAt(later());
    const good = (await lastRun())?.started_at;
    const { lines, points, failure } = await runAt(later() + 60_000, { ...env, BUCKET: unlistable });
    expect(failure).toMatch('Internal Error');
    expect(lines.map(({ event }) => event)).toEqual(expect.arrayContaining(['run_failed', 'run']));
    expect(points).toEqual([expect.objectContaining({ kind: 'run', outcome: 'failed', count: 0 })]);
    expect(await lastRun()).toMatchObject({ ended: 'failed', last_good_at: good });
  });

  test('does not fail because the record cannot be written', async () => {
    const bucket = bucketWith({
      put: (key: string, ...rest: [string]) =>
        key === 'publish/last-run.json' ? outOfOrder() : env.BUCKET.put(key, ...rest),
    });
    const { lines, failure } = await runAt(later(), { ...env, BUCKET: bucket });
    expect(failure).toBeUndefined();
    expect(lines).toContainEqual(expect.objectContaining({ event: 'run_unrecorded' }));
  });

  test('replaces a record that cannot be read', async () => {
    await env.BUCKET.put('publish/last-run.json', 'not JSON');
    await runAt(later(), { ...env, BUCKET: unlistable });
    expect(await lastRun()).toMatchObject({ ended: 'failed', last_good_at: null });
  });
});
