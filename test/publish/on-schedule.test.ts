import { createExecutionContext, createScheduledController, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import worker from '../../src/index.ts';
import { HOUR, keysUnder, land, later, lineAt, PARTITION, publishedLines } from './landing.ts';
import { completeThrough, parquetObjects, publishPart } from './parquet/published.ts';

afterEach(async () => {
  vi.useRealTimers();
  await reset();
});

describe('scheduled()', () => {
  test('publishes what is due and reads the queues for the watermark, at no time to come', async () => {
    const line = lineAt(HOUR);
    await land([line]);
    const before = Date.now();
    const controller = createScheduledController({ cron: env.PUBLISH_CRON, scheduledTime: new Date(later()) });
    await worker.scheduled(controller, env, createExecutionContext());
    expect(await publishedLines()).toEqual([line]);
    expect(await keysUnder('landing/')).toEqual([]);
    const readings = await (await env.BUCKET.get('publish/watermark.json'))?.json<{
      readings: { window: number[][] };
    }>();
    const [[at = Number.NaN] = []] = readings?.readings.window ?? [];
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
  });

  test('publishes by the time that it is when the cron fires late', async () => {
    const line = lineAt(HOUR);
    await land([line]);
    const scheduledTime = new Date();
    vi.useFakeTimers({ toFake: ['Date'], now: later() });
    const controller = createScheduledController({ cron: env.PUBLISH_CRON, scheduledTime });
    await worker.scheduled(controller, env, createExecutionContext());
    expect(await publishedLines()).toEqual([line]);
  });

  test('writes a complete day as Parquet on the cron for it', async () => {
    await publishPart(1, PARTITION, [lineAt(HOUR)]);
    await completeThrough('2026-07-11T00:00:00.000Z');
    await worker.scheduled(createScheduledController({ cron: env.PARQUET_CRON }), env, createExecutionContext());
    expect(await parquetObjects()).toEqual([
      'parquet/v1/dt=2026-07-10/00000000000000000001-00000000000000000001.parquet',
    ]);
  });

  test('fails for a cron that is not ours, and says where to correct it', async () => {
    await expect(
      worker.scheduled(createScheduledController({ cron: '5 4 * * *' }), env, createExecutionContext()),
    ).rejects.toThrow(
      'Cannot run for cron 5 4 * * *: it is neither PUBLISH_CRON (* * * * *) nor PARQUET_CRON (1-59/2 * * * *)',
    );
  });
});
