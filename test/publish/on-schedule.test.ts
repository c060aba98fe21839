import { createScheduledController, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../src/config.ts';
import { createKeyedDigest } from '../../src/guests/digest.ts';
import { eraseRow } from '../../src/guests/erase-row.ts';
import worker from '../../src/index.ts';
import { letASecondPass, waitInNoTime } from '../clock.ts';
import { watchLog } from '../telemetry/watch.ts';
import { askToErase, PSEUDONYM_KEY } from './erase/request.ts';
import { HOUR, keysUnder, land, later, lineAt, publishedLines } from './landing.ts';

const digest = createKeyedDigest(PSEUDONYM_KEY);

beforeEach(waitInNoTime);

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await reset();
});

/** Fires the cron of the publisher, as if it were so many minutes later. */
function fire(using: Env = env, minutes = 60): Promise<void> {
  const scheduledTime = new Date(later(minutes));
  return worker.scheduled(createScheduledController({ cron: env.PUBLISH_CRON, scheduledTime }), using);
}

async function stored(key: string): Promise<unknown> {
  return (await env.BUCKET.get(key))?.json();
}

describe('scheduled()', () => {
  test('publishes what is due and reads the queues for the watermark, at no time to come', async () => {
    const line = lineAt(HOUR);
    await land([line]);
    const before = Date.now();
    await fire();
    expect(await publishedLines()).toEqual([line]);
    expect(await keysUnder('landing/')).toEqual([]);
    const { readings } = (await stored('publish/watermark.json')) as { readings: { window: number[][] } };
    const [[at = Number.NaN] = []] = readings.window;
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
  });

  test('publishes by the time that it is when the cron fires late', async () => {
    const line = lineAt(HOUR);
    await land([line]);
    const scheduledTime = new Date();
    vi.useFakeTimers({ toFake: ['Date'], now: later() });
    const controller = createScheduledController({ cron: env.PUBLISH_CRON, scheduledTime });
    await worker.scheduled(controller, env);
    expect(await publishedLines()).toEqual([line]);
  });

  test('erases guests after publishing, and leaves a record', async () => {
    const line = lineAt(HOUR);
    const request = await askToErase(['email:zoe@example.com']);
    await land([line]);
    await fire({ ...env, PSEUDONYM_KEY });
    expect(await stored('publish/last-run.json')).toMatchObject({
      ended: 'done',
      unfinished_erasure_since: null,
    });
    expect(await publishedLines()).toEqual([eraseRow(line, digest)]);
    expect(await keysUnder('erasures/records/')).toEqual([`erasures/records/${request.erasure_id}.json`]);
  });

  test('passes over a record of an erasure that is spoilt, names it, and goes on with the other guests', async () => {
    const line = lineAt(HOUR);
    await land([line]);
    const request = await askToErase(['email:zoe@example.com']);
    const spoilt = await askToErase(['email:zoe@example.com']);
    const key = `erasures/records/${spoilt.erasure_id}.json`;
    await env.BUCKET.put(key, '{}');
    const lines = watchLog();
    await fire({ ...env, PSEUDONYM_KEY });
    expect(lines).toContainEqual(expect.objectContaining({ event: 'erasure_record_unreadable', key }));
    expect(lines).toContainEqual(expect.objectContaining({ event: 'erased', unreadable_records: 1 }));
    expect(await publishedLines()).toEqual([eraseRow(line, digest)]);
    expect(await stored(`erasures/records/${request.erasure_id}.json`)).toMatchObject({
      stage: 'finished',
    });
    expect(await (await env.BUCKET.get(key))?.text()).toBe('{}');
    expect(await stored('publish/last-run.json')).toMatchObject({
      ended: 'done',
      unfinished_erasure_since: spoilt.requested_at,
    });
  });

  test.each([
    ['before it begins', 'erasures/state.json'],
    ['at its end', 'iceberg/last-run.json'],
  ])('lets no guest expire after an erasure that has failed %s, and publishes on', async (_, spoilt) => {
    const [line, next] = [lineAt(HOUR), lineAt(HOUR + 1)];
    await land([line]);
    await askToErase(['email:somebody@example.com']);
    await env.BUCKET.put(spoilt, '{}');
    const using = { ...env, PSEUDONYM_KEY, KEEP_GUEST_COLUMNS_DAYS: '1' };
    await fire(using, 60);
    expect(await publishedLines()).toEqual([line]);
    // The lease was given back: a minute later nobody is busy.
    letASecondPass();
    await land([next]);
    await fire(using, 61);
    expect((await publishedLines()).sort()).toEqual([line, next].sort());
    letASecondPass();
    await env.BUCKET.delete(spoilt);
    await fire(using, 62);
    expect((await publishedLines()).sort()).toEqual([line, next].map((each) => eraseRow(each, digest)).sort());
  });

  test.each([
    ['no key', undefined, 'there are 1 requests below erasures/requests/ and no PSEUDONYM_KEY'],
    ['another key', 'another key for the tests, and nothing', 'was made with another PSEUDONYM_KEY'],
  ])('publishes nothing while guests are to be erased and there is %s, and loses nothing', async (_, key, message) => {
    await askToErase(['email:zoe@example.com']);
    await land([lineAt(HOUR)]);
    await expect(fire({ ...env, PSEUDONYM_KEY: key ?? '' })).rejects.toThrow(message);
    expect(await publishedLines()).toEqual([]);
    expect(await keysUnder('landing/')).toHaveLength(1);
    expect(await stored('publish/last-run.json')).toMatchObject({ ended: 'failed' });
  });

  test('fails for a cron that is not ours, and says where to correct it', async () => {
    await expect(worker.scheduled(createScheduledController({ cron: '5 4 * * *' }), env)).rejects.toThrow(
      'Cannot run for cron 5 4 * * *: it is neither PUBLISH_CRON (* * * * *) nor TABLE_CRON (1-59/2 * * * *)',
    );
  });
});
