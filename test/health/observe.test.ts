import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Observable, observe } from '../../src/health/observe.ts';
import { watermarkOf } from '../records.ts';

const OBSERVED: Observable = {
  events: env.EVENTS,
  deadLetters: env.DEAD_LETTERS,
  rejected: env.REJECTED,
  rejectedDeadLetters: env.REJECTED_DEAD_LETTERS,
  bucket: env.BUCKET,
};
const EMPTY = { count: 0, bytes: 0, oldest: undefined };
const out = () => Promise.reject(new Error('out of order'));
const hangs = () => new Promise<never>(() => {});

afterEach(async () => {
  vi.useRealTimers();
  await reset();
});

describe('observe()', () => {
  test('finds nothing in new stores', async () => {
    expect(await observe(OBSERVED)).toEqual({
      queues: { events: EMPTY, deadLetters: EMPTY, rejected: EMPTY, rejectedDeadLetters: EMPTY },
      publisher: {
        lastRun: null,
        watermark: null,
        landed: null,
        table: { lastRun: null, waiting: null },
        unreadable: [],
      },
    });
  });

  test('sees what waits, and since when', async () => {
    const sent = new Date('2026-07-10T11:00:00Z');
    const metrics = async () => ({ backlogCount: 2, backlogBytes: 900, oldestMessageTimestamp: sent });
    const { queues } = await observe({ ...OBSERVED, rejected: { metrics } });
    expect(queues.rejected).toEqual({ count: 2, bytes: 900, oldest: sent });
  });

  test('takes the time 0 for none', async () => {
    const metrics = async () => ({ backlogCount: 2, backlogBytes: 900, oldestMessageTimestamp: new Date(0) });
    const { queues } = await observe({ ...OBSERVED, events: { metrics } });
    expect(queues.events).toEqual({ count: 2, bytes: 900, oldest: undefined });
  });

  test('sees what the publisher has left behind', async () => {
    const watermark = watermarkOf('2026-07-10T10:00:00.000Z', { unrecognised_messages: 1, log_sequence: 7 });
    await env.BUCKET.put('events/v1/_watermark.json', JSON.stringify(watermark));
    await env.BUCKET.put('landing/dt=2026-07-10/hour=11/x.ndjson', 'x\n');
    const { publisher } = await observe(OBSERVED);
    expect(publisher).toMatchObject({ lastRun: null, watermark, landed: expect.any(Date) });
  });

  test.each<[string, () => Promise<never>]>([
    ['fails', out],
    ['hangs', hangs],
  ])('goes on when one store %s', async (_, call) => {
    vi.useFakeTimers();
    const observing = observe({
      ...OBSERVED,
      events: { metrics: call },
      bucket: { get: call, list: call },
    });
    // The other queues answer on their own; only the limit of two seconds is simulated.
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await observing).toMatchObject({
      queues: { events: undefined, deadLetters: EMPTY, rejected: EMPTY, rejectedDeadLetters: EMPTY },
      publisher: undefined,
    });
  });

  test.each(['', '{', '7', '{"started_at": 7}', '{"complete_through": "soon"}'])(
    'names records that nobody here has written (%s), and goes on',
    async (text) => {
      const keys = ['events/v1/_watermark.json', 'publish/last-run.json'];
      await Promise.all(keys.map((key) => env.BUCKET.put(key, text)));
      const { publisher } = await observe(OBSERVED);
      expect(publisher).toMatchObject({ lastRun: null, watermark: null });
      expect(publisher?.unreadable.toSorted()).toEqual(keys);
    },
  );
});
