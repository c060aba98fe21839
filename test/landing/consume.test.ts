import { createExecutionContext, createMessageBatch, getQueueResult, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../src/config.ts';
import { consume } from '../../src/landing/consume.ts';
import { ndjson } from '../../src/storage/line.ts';
import { bucketWith, outOfOrder } from '../stores.ts';
import { deliveryOf } from './delivery.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

const NINE = '01a21ef9-f32d-7279-bda2-96945fb413af'; // 2026-11-27T21:47:06.925Z
const TEN = '01a21f10-0000-7279-bda2-96945fb413af'; // 2026-11-27T22:11:12.000Z

const line = (eventId: string, comment: string) => ndjson({ event_id: eventId, staff_comment: comment });

/** Delivers messages with these bodies and tells what the queue was told. */
async function deliver(queue: string, bodies: readonly unknown[], using: Env = env, attempts = 1) {
  const timestamp = new Date('2026-11-27T23:00:00Z');
  const batch = createMessageBatch(
    queue,
    bodies.map((body, at) => ({ id: `m${at}`, timestamp, attempts, body })),
  );
  const context = createExecutionContext();
  await consume(batch, using);
  return getQueueResult(batch, context);
}

async function objects(prefix: string) {
  const { objects: listed } = await env.BUCKET.list({ prefix });
  return Promise.all(listed.map(async ({ key }) => ({ key, text: (await (await env.BUCKET.get(key))?.text()) ?? '' })));
}

/** The real bucket, except that writes under a prefix are refused. */
function refusing(prefix: string): Env {
  const put = (key: string, ...rest: [string, R2PutOptions]) =>
    key.startsWith(prefix) ? outOfOrder() : env.BUCKET.put(key, ...rest);
  return { ...env, BUCKET: bucketWith({ put }) };
}

describe('consume()', () => {
  test('writes one object for each hour of receipt and acknowledges', async () => {
    const result = await deliver(env.LANDING_QUEUE, [line(NINE, 'a'), line(TEN, 'b'), line(NINE, 'c')]);
    expect(result).toMatchObject({ explicitAcks: ['m0', 'm1', 'm2'], retryMessages: [] });
    const landed = await objects('landing/');
    expect(landed.map(({ text }) => text)).toEqual([line(NINE, 'a') + line(NINE, 'c'), line(TEN, 'b')]);
    expect(landed.map(({ key }) => key)).toEqual([
      expect.stringMatching(/^landing\/dt=2026-11-27\/hour=21\/[\da-f-]{36}\.ndjson$/),
      expect.stringMatching(/^landing\/dt=2026-11-27\/hour=22\/[\da-f-]{36}\.ndjson$/),
    ]);
  });

  test('writes a batch that is delivered twice into two objects', async () => {
    await Promise.all([deliver(env.LANDING_QUEUE, [line(NINE, 'a')]), deliver(env.LANDING_QUEUE, [line(NINE, 'a')])]);
    expect(await objects('landing/')).toHaveLength(2);
  });

  test('writes what is no line to dead-letter/, and lands its neighbours', async () => {
    const result = await deliver(env.LANDING_QUEUE, [line(NINE, 'a'), 'poison', { b: 1 }]);
    expect(result.explicitAcks.toSorted()).toEqual(['m0', 'm1', 'm2']);
    expect(await objects('landing/')).toMatchObject([{ text: line(NINE, 'a') }]);
    const [written] = await objects('dead-letter/dt=2026-11-27/hour=23/');
    const letters = written?.text
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text));
    const common = { attempts: 1, queue: env.LANDING_QUEUE, enqueued_at: '2026-11-27T23:00:00.000Z' };
    expect(letters).toMatchObject([
      { ...common, message_id: 'm1', body_encoding: 'text', body: 'poison' },
      { ...common, message_id: 'm2', body_encoding: 'json', body: '{"b":1}' },
    ]);
  });

  test('tries again later what could not be written, and only that, and says so', async () => {
    const logged = vi.spyOn(console, 'log').mockImplementation(() => {});
    const result = await deliver(
      env.LANDING_QUEUE,
      [line(NINE, 'a'), line(TEN, 'b')],
      refusing('landing/dt=2026-11-27/hour=21'),
      3,
    );
    expect(result).toMatchObject({ explicitAcks: ['m1'], retryMessages: [{ msgId: 'm0' }] });
    expect(await objects('landing/')).toMatchObject([{ text: line(TEN, 'b') }]);
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ landed: 1, retried: 1, objects: 1 }));
  });

  test('brings a line that is on the wrong queue to where it belongs, and says so', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const rejection = ndjson({ rejection_id: NINE, sender: 'default' });
    const result = await deliver(env.REJECTED_QUEUE, [rejection, line(NINE, 'a')]);
    expect(result.explicitAcks.toSorted()).toEqual(['m0', 'm1']);
    expect(await objects('rejected/dt=2026-11-27/hour=21/')).toMatchObject([{ text: rejection }]);
    expect(await objects('landing/dt=2026-11-27/hour=21/')).toMatchObject([{ text: line(NINE, 'a') }]);
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ event: 'line_on_wrong_queue' }));
  });

  test('settles every line before it touches an unrecognised message', async () => {
    const told: unknown[] = [];
    const bucket = bucketWith({
      put: (key: string, ...rest: [string, R2PutOptions]) => {
        told.push(`put ${key.split('/', 1)}`);
        return env.BUCKET.put(key, ...rest);
      },
    });
    const messages = ['foreign', line(NINE, 'a')].map((body, at) =>
      deliveryOf(body, told, { ack: () => told.push(`ack m${at}`) }),
    );
    await consume({ queue: env.LANDING_QUEUE, messages }, { ...env, BUCKET: bucket });
    expect(told).toEqual(['put landing', 'ack m1', 'put dead-letter', 'ack m0']);
  });

  test('says in the log and in the metrics what became of a batch, and how long its oldest message has waited', async () => {
    const logged = vi.spyOn(console, 'log').mockImplementation(() => {});
    const points: AnalyticsEngineDataPoint[] = [];
    const METRICS = { writeDataPoint: (point = {}) => void points.push(point) };
    const started = Date.now();
    const messages = [5_000, 1_000].map((waited) =>
      deliveryOf(line(NINE, 'a'), [], { timestamp: new Date(started - waited) }),
    );
    await consume({ queue: env.LANDING_QUEUE, messages }, { ...env, METRICS });
    const took = Date.now() - started;
    const [[told] = []] = logged.mock.calls;
    expect(told).toMatchObject({ event: 'batch', queue: env.LANDING_QUEUE, messages: 2, objects: 1, landed: 2 });
    expect(told.age_ms).toBeGreaterThanOrEqual(5_000);
    expect(told.age_ms).toBeLessThanOrEqual(5_000 + took);
    expect(told.duration_ms).toBeLessThanOrEqual(took);
    expect(points.map(({ blobs = [] }) => blobs.slice(0, 3))).toEqual([['batch', 'landed', env.LANDING_QUEUE]]);
  });

  test('writes nothing for no messages', async () => {
    await deliver(env.LANDING_QUEUE, []);
    await deliver(env.DEAD_LETTER_QUEUE, []);
    expect(await objects('')).toEqual([]);
  });

  test('fails loudly for a queue that it does not know', async () => {
    await expect(deliver('another-queue', [line(NINE, 'a')])).rejects.toThrow('Cannot consume another-queue');
  });
});
