import { env } from 'cloudflare:workers';
import { v7 } from 'uuid';
import * as v from 'valibot';
import { afterEach, describe, expect, test } from 'vitest';
import { gather } from '../../src/landing/gather.ts';
import { isBeingGathered, planRequests } from '../../src/publish/ask-to-gather.ts';
import { LIMITS } from '../../src/publish/limits.ts';
import type { LandedObject } from '../../src/publish/plan.ts';
import { publish } from '../../src/publish/publish.ts';
import { type GatherRequest, GatherRequestSchema } from '../../src/storage/gather-request.ts';
import { objectKey } from '../../src/storage/keys.ts';
import { clockAt } from '../clock.ts';
import { emptyBucket, faultsOfLog, HOUR, land, landed, later, lineAt, PARTITION, publishedLines } from './landing.ts';
import { Killed, watch } from './watched-bucket.ts';

afterEach(emptyBucket);

const FEW = {
  ...LIMITS,
  gatherLeast: 2,
  gatherSources: 3,
  gatherBytes: 1_000,
  gatherSourceBytes: 500,
};
const NEXT_HOUR = 'dt=2026-07-10/hour=10';

function object(at: number, size = 10, partition = PARTITION): LandedObject {
  return { key: objectKey('landing', partition, v7({ msecs: HOUR + at })), size, uploaded: new Date(HOUR) };
}

function plan(objects: readonly LandedObject[], limits = FEW): GatherRequest[] {
  return [...planRequests(objects, limits, HOUR)];
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

describe('planRequests()', () => {
  test.each<[string, LandedObject[], number[]]>([
    ['nothing', [], []],
    ['so many at once', numbers(8).map((at) => object(at)), [3, 3, 2]],
    ['no rest that is not worth while', numbers(7).map((at) => object(at)), [3, 3]],
    ['so many bytes at once', numbers(4).map((at) => object(at, 400)), [2, 2]],
    ['nothing large', [object(1, 501), object(2), object(3)], [2]],
    [
      'each hour by itself',
      [...numbers(2), ...numbers(2)].map((at, i) => object(at, 10, i < 2 ? PARTITION : NEXT_HOUR)),
      [2, 2],
    ],
    ['nothing outside of the hours', [{ ...object(1), key: 'landing/README' }, object(2), object(3)], [2]],
    ['nothing that a clock ahead has named', [object(1), object(2), object(1e12)], [2]],
  ])('asks for %s', (_, objects, expected) => {
    const requests = plan(objects);
    expect(requests.map(({ sources }) => sources.length)).toEqual(expected);
    for (const request of requests) expect(v.is(GatherRequestSchema, request)).toBe(true);
  });

  test('keeps a request of the largest size within what one call of the queue takes', () => {
    const many = numbers(LIMITS.gatherSources * LIMITS.requestsAtOnce).map((at) => object(at));
    const requests = plan(many, LIMITS);
    expect(requests).toHaveLength(LIMITS.requestsAtOnce);
    expect(JSON.stringify(requests).length).toBeLessThan(256_000 * 0.9);
  });
});

describe('isBeingGathered()', () => {
  test('knows the objects of an hour between two names', () => {
    const range = { partition: PARTITION, from: 'b.ndjson', through: 'd.ndjson', until: HOUR };
    const found = ['a', 'b', 'c', 'd', 'e'].filter((name) =>
      isBeingGathered(objectKey('landing', PARTITION, name), [range]),
    );
    expect(found).toEqual(['b', 'c', 'd']);
    expect(isBeingGathered(objectKey('landing', NEXT_HOUR, 'c'), [range])).toBe(false);
  });
});

describe('publish() of more than a run can read', () => {
  const limits = { ...LIMITS, gatherLeast: 2, gatherSources: 3, runSources: 2 };

  /** A queue that keeps what is sent. */
  function queue() {
    const requests: GatherRequest[] = [];
    const sendBatch = async (messages: Iterable<{ readonly body: GatherRequest }>) => {
      for (const { body } of messages) requests.push(body);
    };
    return { requests, sendBatch: sendBatch as unknown as Queue<GatherRequest>['sendBatch'] };
  }

  /** So many objects of a line each, and runs that ask a queue to have them gathered. */
  async function scene(count: number) {
    const lines = numbers(count).map((at) => lineAt(HOUR + at));
    for (const line of lines) await land([line]);
    const { requests, sendBatch } = queue();
    const run = (minutes: number) => publish(env.BUCKET, clockAt(later(minutes)), limits, { sendBatch });
    return { lines, requests, sendBatch, run };
  }

  test('looks at no more objects than it may', async () => {
    const { requests, sendBatch } = await scene(20);
    await publish(env.BUCKET, clockAt(later(60)), { ...limits, gatherObjects: 6 }, { sendBatch });
    expect(requests.map(({ sources }) => sources.length)).toEqual([3, 3]);
  });

  test('publishes what it can, leaves alone what is being gathered, and publishes that once it is', async () => {
    const { lines, requests, run } = await scene(8);
    expect(await run(60)).toMatchObject({ ended: 'more', sources: 2 });
    expect(requests.map(({ sources }) => sources.length)).toEqual([3, 3]);
    expect(await run(61)).toMatchObject({ ended: 'done', sources: 0 });
    for (const request of requests) await gather(env.BUCKET, request);
    expect(await run(62)).toMatchObject({ ended: 'done', sources: 2, rows: 6 });
    expect(await landed()).toEqual([]);
    expect((await publishedLines()).sort()).toEqual(lines.sort());
    expect(await faultsOfLog()).toEqual([]);
  });

  test('goes on with what nobody has gathered in time, and asks for the rest again', async () => {
    const { requests, run } = await scene(8);
    await run(60);
    // A consumer that has begun in time may still be at work.
    const until = 60 + LIMITS.gatherMs / 60_000;
    expect(await run(until)).toMatchObject({ ended: 'done', sources: 0 });
    expect(await run(until + 2)).toMatchObject({ ended: 'more', sources: 2 });
    expect(requests.map(({ sources }) => sources.length)).toEqual([3, 3, 3]);
  });

  test('leaves out the rows of a message that comes when they are published', async () => {
    const { lines, requests, run } = await scene(5);
    await run(60);
    const [request] = requests;
    if (request === undefined) throw new Error('Nothing was asked for');
    await gather(env.BUCKET, request);
    const [key = ''] = await landed();
    const body = await (await env.BUCKET.get(key))?.text();
    await run(61);
    await env.BUCKET.put(key, body ?? '');
    expect(await run(62)).toMatchObject({ rows: 0, sources: 1 });
    expect((await publishedLines()).sort()).toEqual(lines.sort());
    expect(await landed()).toEqual([]);
  });

  test('publishes though the queue refuses', async () => {
    for (const at of numbers(8)) await land([lineAt(HOUR + at)]);
    const sendBatch = () => Promise.reject(new Error('Queue sendBatch failed: Service Unavailable'));
    const one = { ...limits, requestsAtOnce: 1 };
    const run = (minutes: number) => publish(env.BUCKET, clockAt(later(minutes)), one, { sendBatch });
    expect(await run(60)).toMatchObject({ ended: 'more', sources: 2 });
    // The three of the request that was refused may be gathered all the same; the others are not waited for.
    expect(await run(61)).toMatchObject({ ended: 'more', sources: 2 });
    expect(await landed()).toHaveLength(4);
  });

  test('writes down what is gathered before it asks, since it may be killed right after', async () => {
    const { requests, sendBatch, run } = await scene(8);
    let sent = false;
    const killed = watch(async () => {
      if (sent) throw new Killed('killed after asking');
    });
    const asking = {
      async sendBatch(messages: Parameters<typeof sendBatch>[0]) {
        const answer = await sendBatch(messages);
        sent = true;
        return answer;
      },
    };
    await expect(publish(killed, clockAt(later(60)), limits, asking)).rejects.toThrow(Killed);
    expect(requests).toHaveLength(2);
    expect(await run(66)).toMatchObject({ ended: 'done', sources: 2 });
    expect(requests).toHaveLength(2);
  });
});
