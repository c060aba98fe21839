import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/publish/limits.ts';
import { publish } from '../../src/publish/publish.ts';
import { partitionOf } from '../../src/storage/keys.ts';
import { clockAt } from '../clock.ts';
import {
  faultsOfLog,
  HOUR,
  HOUR_MS,
  keysUnder,
  land,
  landed,
  later,
  lineAt,
  MINUTE_MS,
  publishedLines,
} from './landing.ts';
import { watch } from './watched-bucket.ts';

afterEach(() => reset());

describe('publish()', () => {
  test('turns the objects of an hour into one part, byte for byte and in their order', async () => {
    const lines = [lineAt(HOUR), lineAt(HOUR + 1, { FirstName: 'Ærøskøbing 🏨' }), lineAt(HOUR + 2)];
    await land(lines.slice(0, 2));
    await land(lines.slice(2));
    expect(await publish(env.BUCKET, clockAt(later()))).toMatchObject({ ended: 'done', parts: 1, rows: 3, sources: 2 });
    expect(await publishedLines()).toEqual(lines);
    expect(await landed()).toEqual([]);
  });

  test('writes one gzip member without a content encoding, and says what is in it', async () => {
    const ofVersion2 = lineAt(HOUR + 5 * MINUTE_MS).replace('"schema_version":1', '"schema_version":2');
    const lines = [lineAt(HOUR), ofVersion2];
    const source = await land(lines);
    await publish(env.BUCKET, clockAt(later()));
    const [key = ''] = await keysUnder('events/v1/dt=');
    expect(key).toMatch(/^events\/v1\/dt=2026-07-10\/hour=09\/[\da-f-]{36}\.ndjson\.gz$/);
    const object = await env.BUCKET.head(key);
    expect(object?.httpMetadata).toEqual({ contentType: 'application/gzip' });
    expect(object?.customMetadata).toEqual({
      rows: '2',
      sha256: expect.stringMatching(/^[\da-f]{64}$/),
      schema_versions: '1,2',
      senders: 'default=2',
      minutes: `100001${'0'.repeat(54)}`,
      last_source: source.split('/').at(-1),
      first_event_id: lines[0]?.slice(13, 49),
      last_event_id: lines[1]?.slice(13, 49),
    });
  });

  test('publishes an event once, however often it has landed', async () => {
    const [a, b, c] = [lineAt(HOUR), lineAt(HOUR + 1), lineAt(HOUR + 2)];
    await land([a, b, a]);
    await land([b, c]);
    expect(await publish(env.BUCKET, clockAt(later()))).toMatchObject({ rows: 3 });
    expect(await publishedLines()).toEqual([a, b, c]);
  });

  test('recognises a twin that lands after the event has been published', async () => {
    const [a, b] = [lineAt(HOUR), lineAt(HOUR + 1)];
    await land([a]);
    await publish(env.BUCKET, clockAt(later()));
    await land([a, b]);
    expect(await publish(env.BUCKET, clockAt(later()))).toMatchObject({ parts: 1, rows: 1 });
    expect((await publishedLines()).sort()).toEqual([a, b].sort());
  });

  test('writes nothing when everything has been published before', async () => {
    const line = lineAt(HOUR);
    await land([line]);
    await publish(env.BUCKET, clockAt(later()));
    await land([line]);
    expect(await publish(env.BUCKET, clockAt(later()))).toMatchObject({ parts: 0, rows: 0, sources: 1 });
    expect(await keysUnder('events/v1/dt=')).toHaveLength(1);
    expect(await landed()).toEqual([]);
  });

  test('leaves alone what is not due: the hour that runs, and what has only just landed', async () => {
    const now = Date.now();
    await land([lineAt(now)], partitionOf(new Date(now)));
    await land([lineAt(HOUR)]);
    expect(await publish(env.BUCKET, clockAt(now))).toMatchObject({ ended: 'done', parts: 0 });
    expect(await keysUnder('landing/')).toHaveLength(2);
  });

  test('publishes the hour that runs part by part, each event once', async () => {
    const now = Date.now();
    const partition = partitionOf(new Date(now));
    const lines = [0, 1, 2].map((at) => lineAt(now + at));
    await land(lines.slice(0, 2), partition);
    expect(await publish(env.BUCKET, clockAt(now + 4 * MINUTE_MS))).toMatchObject({ parts: 0 });
    expect(await publish(env.BUCKET, clockAt(now + 7 * MINUTE_MS))).toMatchObject({ parts: 1, rows: 2 });
    await land(lines.slice(1), partition);
    expect(await publish(env.BUCKET, clockAt(now + 14 * MINUTE_MS))).toMatchObject({ parts: 1, rows: 1 });
    expect((await publishedLines()).sort()).toEqual(lines.sort());
    expect(await faultsOfLog()).toEqual([]);
  });

  test('looks for repeats in those parts only that have a minute in common', async () => {
    for (const minute of [0, 5, 10]) {
      await land([lineAt(HOUR + minute * MINUTE_MS)]);
      await publish(env.BUCKET, clockAt(later()));
    }
    const parts = await keysUnder('events/v1/dt=');
    await land([lineAt(HOUR + 10.5 * MINUTE_MS)]);
    const read: string[] = [];
    const bucket = watch(async ({ when }, what, [key]) => {
      if (when === 'before' && what === 'get' && String(key).startsWith('events/v1/dt=')) read.push(String(key));
    });
    await publish(bucket, clockAt(later()));
    expect(read).toEqual(parts.slice(2));
  });

  test('closes a part that has grown enough and publishes the rest in a further one', async () => {
    const lines = [0, 1, 2].map((at) => lineAt(HOUR + at));
    for (const line of lines) await land([line]);
    const limits = { ...LIMITS, partBytes: 0 };
    for (const left of [2, 1, 0]) {
      expect(await publish(env.BUCKET, clockAt(later()), limits)).toMatchObject({ parts: 1, rows: 1, sources: 1 });
      expect(await landed()).toHaveLength(left);
    }
    expect((await publishedLines()).sort()).toEqual(lines.sort());
    expect(await faultsOfLog()).toEqual([]);
  });

  test.each([
    ['sources', { runSources: 2 }],
    ['bytes', { runSourceBytes: 1_500 }],
  ])('leaves to the next run what goes beyond the %s of one', async (_, few) => {
    for (const hour of [0, 1, 2, 3]) {
      const time = HOUR + hour * HOUR_MS;
      await land([lineAt(time)], partitionOf(new Date(time)));
    }
    const limits = { ...LIMITS, ...few, hoursAtOnce: 1 };
    expect(await publish(env.BUCKET, clockAt(later()), limits)).toMatchObject({ ended: 'more', parts: 2 });
    expect(await publish(env.BUCKET, clockAt(later()), limits)).toMatchObject({ ended: 'done', parts: 2 });
  });

  test('deletes its sources in as many calls as R2 takes keys', async () => {
    for (const at of [0, 1, 2, 3, 4]) await land([lineAt(HOUR + at)]);
    const deleted: number[] = [];
    const bucket = watch(async ({ when }, what, [keys]) => {
      if (when === 'before' && what === 'delete') deleted.push([keys].flat().length);
    });
    await publish(bucket, clockAt(later()), { ...LIMITS, deleteKeys: 2 });
    expect(deleted).toEqual([2, 2, 1]);
    expect(await landed()).toEqual([]);
  });

  test.each([
    ['text that is no line', () => 'hello\n'],
    ['a line of another hour', () => lineAt(HOUR + HOUR_MS)],
    ['a line without an end', () => lineAt(HOUR).slice(0, -20)],
    ['a line with a byte order mark', () => `\ufeff${lineAt(HOUR)}`],
  ])('keeps an object with %s whole and publishes the lines beside it', async (_, foreign) => {
    const line = lineAt(HOUR);
    const content = [line, foreign()];
    const key = await land(content);
    expect(await publish(env.BUCKET, clockAt(later()))).toMatchObject({ rows: 1 });
    expect(await publishedLines()).toEqual([line]);
    expect(await landed()).toEqual([]);
    const kept = await env.BUCKET.get(key.replace('landing/', 'unreadable/'));
    expect(await kept?.arrayBuffer()).toEqual(new TextEncoder().encode(content.join('')).buffer);
  });

  test('keeps an object whole that is too large to be one of landing', async () => {
    const key = await land(['x'.repeat(LIMITS.sourceBytes), '\n']);
    await land([lineAt(HOUR)]);
    expect(await publish(env.BUCKET, clockAt(later()))).toMatchObject({ rows: 1, sources: 2 });
    expect(await landed()).toEqual([]);
    expect(await env.BUCKET.head(key.replace('landing/', 'unreadable/'))).toMatchObject({
      size: LIMITS.sourceBytes + 1,
    });
  });

  test('gives the lease back when it throws, and leaves open what is open', async () => {
    const lines = [lineAt(HOUR), lineAt(HOUR + 1)];
    await land(lines);
    const isPart = (key: unknown) => String(key).startsWith('events/v1/dt=');
    const failing = watch(async ({ when }, what, [key]) => {
      if (when === 'before' && what === 'put' && isPart(key)) throw new Error('put: Internal Error (10001)');
    });
    await expect(publish(failing, clockAt(later()))).rejects.toThrow('10001');
    expect(await publish(env.BUCKET, clockAt(later()))).toMatchObject({ ended: 'done', parts: 1, rows: 2 });
    expect(await publishedLines()).toEqual(lines);
  });
});
