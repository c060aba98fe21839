import { env } from 'cloudflare:workers';
import { v7 } from 'uuid';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { gather } from '../../src/landing/gather.ts';
import { uuidv7 } from '../../src/storage/event-id.ts';
import { type GatherRequest, outputKeyOf } from '../../src/storage/gather-request.ts';
import { landingPrefix } from '../../src/storage/keys.ts';
import { stopBucketTime } from '../clock.ts';
import { emptyBucket, HOUR, HOUR_MS, land, landed, lineAt, linesOfObject, PARTITION } from '../publish/landing.ts';
import { Killed, killedAt } from '../publish/watched-bucket.ts';

beforeAll(stopBucketTime);
afterEach(async () => {
  vi.restoreAllMocks();
  await emptyBucket();
});

/** Lands each line as an object, and asks for all of them. */
async function landEach(lines: readonly string[]): Promise<GatherRequest> {
  const sources: string[] = [];
  for (const line of lines) sources.push((await land([line])).slice(landingPrefix(PARTITION).length));
  return { partition: PARTITION, output: uuidv7(), sources, until: HOUR };
}

const LINES = [3, 1, 2].map((at) => lineAt(HOUR + at));

describe('gather()', () => {
  test('makes one object of many, which says since when the first row waits', async () => {
    const request = await landEach(LINES);
    expect(await gather(env.BUCKET, request)).toEqual({ objects: 3, rows: 3 });
    const output = outputKeyOf(request);
    expect(await landed()).toEqual([output]);
    expect(await linesOfObject(output)).toEqual(LINES);
    expect((await env.BUCKET.head(output))?.customMetadata).toMatchObject({
      rows: '3',
      events: '3',
      first_received_at: new Date(HOUR + 1).toISOString(),
    });
  });

  test.each([
    ['text that is no line', 'hello\n'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe])],
    ['a line with a byte that is no text', Buffer.from(lineAt(HOUR).replace('}', ',"a":"\xff"}'), 'latin1')],
    ['a line of another hour', lineAt(HOUR + HOUR_MS)],
    ['a line without an end', lineAt(HOUR).slice(0, -20)],
    ['a line with a byte order mark', `\ufeff${lineAt(HOUR)}`],
  ])('leaves an object with %s where it is', async (_, content) => {
    const odd = `${landingPrefix(PARTITION)}${v7()}.ndjson`;
    await env.BUCKET.put(odd, content);
    const request = await landEach(LINES);
    const sources = [odd.slice(landingPrefix(PARTITION).length), ...request.sources];
    expect(await gather(env.BUCKET, { ...request, sources })).toEqual({ objects: 3, rows: 3 });
    expect((await landed()).sort()).toEqual([odd, outputKeyOf(request)].sort());
  });

  test('makes nothing when the sources are gone', async () => {
    const request = await landEach(LINES);
    await emptyBucket();
    expect(await gather(env.BUCKET, request)).toEqual({ objects: 0, rows: 0 });
    expect(await landed()).toEqual([]);
  });

  test('comes to the same end when it is killed before or after any call and delivered again', async () => {
    for (let call = 1; call <= 5; call += 1) {
      for (const when of ['before', 'after'] as const) {
        const request = await landEach(LINES);
        await expect(gather(killedAt({ call, when }), request)).rejects.toThrow(Killed);
        const kept = await Promise.all((await landed()).map(linesOfObject));
        expect(new Set(kept.flat())).toEqual(new Set(LINES));
        await gather(env.BUCKET, request);
        expect(await landed()).toEqual([outputKeyOf(request)]);
        expect(await linesOfObject(outputKeyOf(request))).toEqual(LINES);
        await emptyBucket();
      }
    }
  });

  test('makes the object again when the publisher was done with it before the sources were deleted', async () => {
    const request = await landEach(LINES);
    await expect(gather(killedAt({ call: 4, when: 'after' }), request)).rejects.toThrow(Killed);
    await env.BUCKET.delete(outputKeyOf(request));
    await gather(env.BUCKET, request);
    expect(await landed()).toEqual([outputKeyOf(request)]);
  });

  test('deletes nothing while it cannot know that the object was created', async () => {
    const request = await landEach(LINES);
    const before = await landed();
    vi.spyOn(env.BUCKET, 'put').mockRejectedValue(new Error('put: Too many writes of the same object. (10058)'));
    await expect(gather(env.BUCKET, request)).rejects.toThrow('another consumer was about to create it');
    expect(await landed()).toEqual(before);
  });
});
