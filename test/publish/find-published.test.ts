import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { publish } from '../../src/publish/publish.ts';
import { clockAt } from '../clock.ts';
import { replacePart } from '../table/events.ts';
import { emptyBucket, HOUR, land, landed, later, lineAt, publishedLines, readLog } from './landing.ts';
import { watch } from './watched-bucket.ts';

afterEach(() => emptyBucket());

describe('findPublished()', () => {
  test('finds what is in a part that is replaced while it looks', async () => {
    const lines = [lineAt(HOUR), lineAt(HOUR + 1)];
    await land(lines);
    await publish(env.BUCKET, clockAt(later()));
    const [part] = await readLog();
    await land(lines);
    let replaced = 0;
    const bucket = watch(async ({ when }, what, [key]) => {
      if (replaced > 0 || part === undefined || when !== 'before' || what !== 'get' || key !== part.key) return;
      replaced += 1;
      await replacePart(2, part, lines);
    });
    expect(await publish(bucket, clockAt(later(120)))).toMatchObject({ ended: 'done', parts: 0, sources: 1 });
    expect(replaced).toBe(1);
    expect(await publishedLines()).toEqual(lines);
    expect(await landed()).toEqual([]);
  });
});
