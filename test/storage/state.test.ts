import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as v from 'valibot';
import { afterEach, describe, expect, test } from 'vitest';
import { readState, writeState } from '../../src/storage/state.ts';

afterEach(() => reset());

const KEY = 'publish/state.json';
const read = () => readState(env.BUCKET, KEY, v.object({ turn: v.number() }), 'delete it');

describe('readState()', () => {
  test('reads what was written, and nothing where nothing is', async () => {
    expect(await read()).toEqual({ value: undefined, etag: undefined, writtenAt: 0 });
    const etag = await writeState(env.BUCKET, KEY, { turn: 1 }, undefined);
    expect(await read()).toEqual({ value: { turn: 1 }, etag, writtenAt: expect.any(Number) });
  });

  test.each(['', '{"turn":1', '{"turn":"1"}', 'null'])('says what to do about %j', async (text) => {
    await env.BUCKET.put(KEY, text);
    await expect(read()).rejects.toThrow(`Cannot read ${KEY}: it is not what this service writes there; delete it`);
  });
});

describe('writeState()', () => {
  test('changes nothing but what was read', async () => {
    const first = await writeState(env.BUCKET, KEY, { turn: 1 }, undefined);
    expect(await writeState(env.BUCKET, KEY, { turn: 7 }, undefined)).toBeUndefined();
    const second = await writeState(env.BUCKET, KEY, { turn: 2 }, first);
    expect(await writeState(env.BUCKET, KEY, { turn: 7 }, first)).toBeUndefined();
    expect(await read()).toMatchObject({ value: { turn: 2 }, etag: second });
  });
});
