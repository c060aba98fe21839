import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import worker from '../../src/index.ts';
import { gatherBatch } from '../../src/landing/gather-batch.ts';
import { uuidv7 } from '../../src/storage/event-id.ts';
import { landingPrefix } from '../../src/storage/keys.ts';
import { emptyBucket, HOUR, land, landed, lineAt, linesOfObject, PARTITION } from '../publish/landing.ts';
import { deliveryOf } from './delivery.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await emptyBucket();
});

const LINES = [lineAt(HOUR), lineAt(HOUR + 1)];

/** A request, once each line has landed as an object. */
async function request(until: number) {
  const sources: string[] = [];
  for (const line of LINES) sources.push((await land([line])).slice(landingPrefix(PARTITION).length));
  return { partition: PARTITION, output: uuidv7(), sources, until };
}

/** Delivers a message, and returns what the queue was told. */
async function deliver(body: unknown) {
  const message = { id: 'm', timestamp: new Date(), attempts: 1, body };
  const batch = createMessageBatch(env.GATHER_QUEUE, [message]);
  await worker.queue(batch, env);
  const { outcome, explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext());
  return { outcome, explicitAcks, retryMessages };
}

const ACKNOWLEDGED = { outcome: 'ok', explicitAcks: ['m'], retryMessages: [] };

describe('gatherBatch()', () => {
  test('gathers what the message names', async () => {
    const logged = vi.spyOn(console, 'log').mockImplementation(() => {});
    const started = Date.now();
    expect(await deliver(await request(Date.now() + 60_000))).toEqual(ACKNOWLEDGED);
    const [[told] = []] = logged.mock.calls;
    expect(told).toMatchObject({ event: 'gathered', objects: 2, rows: 2 });
    expect(told.duration_ms).toBeLessThanOrEqual(Date.now() - started);
    const [key = '', ...others] = await landed();
    expect(others).toEqual([]);
    expect(await linesOfObject(key)).toEqual(LINES);
  });

  test('does nothing for a message that comes late', async () => {
    expect(await deliver(await request(Date.now()))).toEqual(ACKNOWLEDGED);
    expect(await landed()).toHaveLength(2);
  });

  test.each([
    ['text', 'gather'],
    ['a name outside of its hour', { partition: PARTITION, output: uuidv7(), sources: ['../a'], until: 1e15 }],
    ['a name that sorts last', { partition: PARTITION, output: uuidv7(), sources: ['z.ndjson'], until: 1e15 }],
  ])('acknowledges %s and touches nothing', async (_, body) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    await request(0);
    expect(await deliver(body)).toEqual(ACKNOWLEDGED);
    expect(await landed()).toHaveLength(2);
    expect(logged).toHaveBeenCalledOnce();
  });

  test('has a message tried again when R2 fails, half a minute later', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const body = await request(Date.now() + 60_000);
    vi.spyOn(env.BUCKET, 'put').mockRejectedValue(new Error('put: Internal Error (10001)'));
    const told: unknown[] = [];
    await gatherBatch({ queue: env.GATHER_QUEUE, messages: [deliveryOf(body, told)] }, env.BUCKET);
    expect(told).toEqual([30]);
    expect(logged.mock.calls).toEqual([
      [expect.objectContaining({ event: 'gather_failed', message: 'put: Internal Error (10001)' })],
    ]);
    expect(await landed()).toHaveLength(2);
  });
});
