import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { createPart } from '../../src/publish/create-part.ts';
import { LIMITS } from '../../src/publish/limits.ts';
import { uuidv7 } from '../../src/storage/event-id.ts';
import { eventsKey } from '../../src/storage/keys.ts';
import { HOUR, land, lineAt, PARTITION } from './landing.ts';

afterEach(() => reset());

describe('createPart()', () => {
  async function planned(count: number) {
    const sources: [string, number][] = [];
    for (let at = 0; at < count; at += 1) {
      const key = await land([lineAt(HOUR + at)]);
      sources.push([key.slice(key.lastIndexOf('/') + 1), 1_000]);
    }
    return { partition: PARTITION, output: eventsKey(PARTITION, uuidv7()), sources };
  }

  test('is done with the sources that the part of an earlier attempt has, and with no others', async () => {
    const part = await planned(3);
    await createPart(env.BUCKET, { ...part, sources: part.sources.slice(0, 2) }, 1, LIMITS);
    expect(await createPart(env.BUCKET, part, 2, LIMITS)).toMatchObject({ facts: { rows: 2 }, sources: 2 });
  });

  test('is done with no source when the last one of the part is none of them', async () => {
    const [part, other] = [await planned(3), await planned(1)];
    await createPart(env.BUCKET, { ...part, sources: other.sources }, 1, LIMITS);
    expect(await createPart(env.BUCKET, part, 2, LIMITS)).toMatchObject({ facts: { rows: 1 }, sources: 0 });
  });
});
