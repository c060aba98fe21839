import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { findLive, readLive } from '../../src/storage/find-live.ts';
import { emptyBucket, HOUR, lineAt } from '../publish/landing.ts';
import { watch } from '../publish/watched-bucket.ts';
import { publishPart, replacePart } from '../table/events.ts';

afterEach(() => emptyBucket());

const LINES = [lineAt(HOUR)];

describe('findLive()', () => {
  test('finds what stands in the place of a part, however often it was replaced', async () => {
    const first = await publishPart(1, LINES);
    const second = await replacePart(2, first, LINES);
    const third = await replacePart(3, second, LINES);
    // Another part of the hour, which stands for itself alone.
    await publishPart(4, LINES);
    for (const { key } of [first, second, third]) expect((await findLive(env.BUCKET, key))?.key).toBe(third.key);
    await env.BUCKET.delete(third.key);
    for (const { key } of [first, second, third]) expect(await findLive(env.BUCKET, key)).toBeUndefined();
  });

  test('finds it when it was replaced more often than its metadata can name', async () => {
    const parts = [await publishPart(1, LINES)];
    const other = await publishPart(2, LINES);
    for (let sequence = 3; sequence <= 105; sequence++) {
      parts.push(await replacePart(sequence, parts.at(-1) ?? other, LINES));
    }
    const last = parts.at(-1)?.key ?? '';
    for (const { key } of [...parts.slice(0, 5), ...parts.slice(-2)]) {
      expect((await findLive(env.BUCKET, key))?.key).toBe(last);
    }
    await env.BUCKET.delete(other.key);
    expect(await findLive(env.BUCKET, other.key)).toBeUndefined();
  });
});

describe('readLive()', () => {
  test('reads what stands in the place of a part that is replaced at each look', async () => {
    let part = await publishPart(1, LINES);
    const { key } = part;
    let sequence = 1;
    const bucket = watch(async ({ when }, what) => {
      if (when === 'before' && what === 'get' && sequence < 4) {
        sequence += 1;
        part = await replacePart(sequence, part, LINES);
      }
    });
    expect((await readLive(bucket, key))?.key).toBe(part.key);
    expect(sequence).toBe(4);
  });
});
