import { env } from 'cloudflare:workers';
import { v7 } from 'uuid';
import { afterEach, describe, expect, test } from 'vitest';
import { gather } from '../../src/landing/gather.ts';
import { oldestLanded } from '../../src/publish/oldest-landed.ts';
import { createObject } from '../../src/storage/create-object.ts';
import { uuidv7 } from '../../src/storage/event-id.ts';
import { landingPrefix, objectKey } from '../../src/storage/keys.ts';
import { emptyBucket, HOUR, land, landed, lineAt, PARTITION } from './landing.ts';

afterEach(emptyBucket);

/** A bucket that lists one object a page, and has something happen before one of the pages. */
function pageByPage(before: number, happen: () => Promise<unknown>) {
  let page = 0;
  return {
    async list(options: R2ListOptions = {}): Promise<R2Objects> {
      page += 1;
      if (page === before) await happen();
      return env.BUCKET.list({ ...options, limit: 1 });
    },
  };
}

/** What is found when everything is gathered into an object of this name before a page. */
async function foundWhenGatheredBefore(page: number, output: string): Promise<number> {
  for (const at of [0, 1, 2]) await land([lineAt(HOUR + at)]);
  const { length } = landingPrefix(PARTITION);
  const sources = (await landed()).map((key) => key.slice(length));
  // What a page has already when the oldest row moves.
  await createObject(env.BUCKET, objectKey('landing', PARTITION, v7({ msecs: 1 })), [lineAt(HOUR + 5)]);
  const request = { partition: PARTITION, output, sources, until: 0 };
  const found = await oldestLanded(pageByPage(page, () => gather(env.BUCKET, request)));
  await emptyBucket();
  return found;
}

describe('oldestLanded()', () => {
  test('meets the oldest row also when it is gathered between two pages of the listing', async () => {
    for (const page of [1, 2, 3]) expect(await foundWhenGatheredBefore(page, uuidv7())).toBeLessThanOrEqual(HOUR);
  });

  test('would miss it in an object that sorts first, which no request may name', async () => {
    expect(await foundWhenGatheredBefore(2, v7({ msecs: 0 }))).toBeGreaterThan(HOUR);
  });
});
