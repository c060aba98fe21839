import { env, exports } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { openReaders, type Reader, type ReaderSource, readersFor } from '../../src/publish/fan-out.ts';
import { LIMITS } from '../../src/publish/limits.ts';
import { publish } from '../../src/publish/publish.ts';
import type { Source } from '../../src/publish/read-in-order.ts';
import { partitionOf } from '../../src/storage/keys.ts';
import { clockAt } from '../clock.ts';
import { emptyBucket, faultsOfLog, HOUR, HOUR_MS, keysUnder, land, later, lineAt, publishedLines } from './landing.ts';

afterEach(() => emptyBucket());

const FEW = { ...LIMITS, readerSources: 2, readers: 3 };

/** The real source of invocations, which keeps what each was asked for. */
function watchedSource() {
  const shares: string[][] = [];
  let opened = 0;
  const source: ReaderSource = {
    async open() {
      opened += 1;
      const reader: Reader = await exports.SourceReader.open();
      return {
        read(sources, limits) {
          shares.push(sources.map(({ key }) => key));
          return reader.read(sources, limits);
        },
        [Symbol.dispose]() {
          opened -= 1;
          reader[Symbol.dispose]?.();
        },
      };
    },
  };
  return { source, shares, opened: () => opened };
}

async function landMany(count: number): Promise<{ sources: Source[]; lines: string[] }> {
  const lines = Array.from({ length: count }, (_, at) => lineAt(HOUR + at));
  const sources = [];
  for (const line of lines) sources.push({ key: await land([line]), bytes: line.length });
  return { sources, lines };
}

describe('readersFor()', () => {
  test.each<[string, number, number[]]>([
    ['none for one object', 0, [10]],
    ['one for each two objects', 2, [10, 10, 10, 10, 10]],
    ['three at most', 3, Array(50).fill(10)],
    ['fewer for large objects', 1, [...Array(50).fill(10), 60, 70]],
    ['none for an object that is larger than what is read ahead', 0, [...Array(50).fill(10), 101]],
  ])('takes %s', (_, expected, sizes) => {
    const sources = sizes.map((bytes, at) => ({ key: `${at}`, bytes }));
    expect(readersFor(sources, { readers: 3, readerSources: 2, readAheadBytes: 100 })).toBe(expected);
  });
});

describe('openReaders()', () => {
  test('deals objects out to further invocations and takes them back in order, missing ones too', async () => {
    const { sources, lines } = await landMany(7);
    await env.BUCKET.delete(sources[2]?.key ?? '');
    const { source, shares, opened } = watchedSource();
    {
      await using readers = openReaders(env.BUCKET, source);
      const found: (string | undefined)[] = [];
      for await (const { key, body } of readers.read(sources, FEW)) {
        expect(key).toBe(sources[found.length]?.key);
        found.push(body && new TextDecoder().decode(body));
      }
      expect(found).toEqual(lines.map((line, at) => (at === 2 ? undefined : line)));
      expect(shares).toEqual([0, 1, 2].map((lane) => sources.filter((_, at) => at % 3 === lane).map(({ key }) => key)));
      expect(opened()).toBe(3);
    }
    expect(opened()).toBe(0);
  });

  test('makes each invocation once and lets them take turns', async () => {
    const { sources, lines } = await landMany(4);
    const { source, shares, opened } = watchedSource();
    await using readers = openReaders(env.BUCKET, source);
    for (let round = 0; round < 3; round++) {
      const bodies = await Array.fromAsync(readers.read(sources, FEW), ({ body }) => new TextDecoder().decode(body));
      expect(bodies).toEqual(lines);
    }
    expect(shares).toHaveLength(6);
    expect(opened()).toBe(3);
  });

  test('reads few objects here', async () => {
    const { sources, lines } = await landMany(3);
    const { source, opened } = watchedSource();
    await using readers = openReaders(env.BUCKET, source);
    const limits = { ...FEW, readerSources: 4 };
    const bodies = await Array.fromAsync(readers.read(sources, limits), ({ body }) => new TextDecoder().decode(body));
    expect(bodies).toEqual(lines);
    expect(opened()).toBe(0);
  });

  test('stops the invocations when the reading stops', async () => {
    const { sources } = await landMany(8);
    await using readers = openReaders(env.BUCKET, exports.SourceReader);
    for await (const { key } of readers.read(sources, FEW)) {
      expect(key).toBe(sources[0]?.key);
      break;
    }
    expect(await Array.fromAsync(readers.read(sources, FEW))).toHaveLength(8);
  });

  const nothing: Reader = { read: async () => new Response('').body ?? Promise.reject(new Error('no body')) };
  test.each<[string, () => Promise<Reader>, string]>([
    ['an invocation that cannot be made', () => Promise.reject(new Error('too many')), 'too many'],
    ['one that cannot read', async () => ({ read: () => Promise.reject(new Error('R2 is down')) }), 'R2 is down'],
    ['one that gives back nothing', async () => nothing, 'fewer than it was given'],
  ])('throws for %s', async (_, open, message) => {
    const { sources } = await landMany(4);
    await using readers = openReaders(env.BUCKET, { open });
    await expect(Array.fromAsync(readers.read(sources, FEW))).rejects.toThrow(message);
  });
});

describe('publish()', () => {
  test('publishes several hours at once, each event once, with further invocations', async () => {
    const lines: string[] = [];
    for (const hour of [0, 1, 2]) {
      const time = HOUR + hour * HOUR_MS;
      for (let at = 0; at < 6; at++) {
        const line = lineAt(time + at);
        lines.push(line);
        await land([line, ...lines.slice(-2, -1)].slice(0, at > 0 ? 2 : 1), partitionOf(new Date(time)));
      }
    }
    const { source, shares, opened } = watchedSource();
    expect(await publish(env.BUCKET, clockAt(later()), FEW, source)).toMatchObject({
      ended: 'done',
      parts: 3,
      rows: 18,
      sources: 18,
      log_sequence: 3,
    });
    expect(shares).toHaveLength(9);
    expect(opened()).toBe(0);
    expect((await publishedLines()).sort()).toEqual(lines.sort());
    expect(await keysUnder('landing/')).toEqual([]);
    expect(await faultsOfLog()).toEqual([]);
  });
});
