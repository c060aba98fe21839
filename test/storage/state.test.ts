import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as v from 'valibot';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readState, type State, swapState } from '../../src/storage/state.ts';
import { clockAt, letASecondPass } from '../clock.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

const KEY = 'publish/state.json';
const NOW = Date.parse('2026-07-10T09:00:00.000Z');
const NONE = { etag: undefined, writtenAt: 0 };
const read = () => readState(env.BUCKET, KEY, v.object({ turn: v.number() }), 'delete it');

/** Writes, and fails when nothing is written. */
async function swap(turn: number, from: Pick<State<unknown>, 'etag' | 'writtenAt'>, clock = clockAt(NOW)) {
  const written = await swapState(env.BUCKET, KEY, { turn }, from, clock);
  if (written === undefined) throw new Error('Another run has changed it');
  return written;
}

describe('readState()', () => {
  test('reads what was written, and nothing where nothing is', async () => {
    expect(await read()).toEqual({ value: undefined, etag: undefined, writtenAt: 0 });
    const { etag } = await swap(1, NONE);
    expect(await read()).toEqual({ value: { turn: 1 }, etag, writtenAt: expect.any(Number) });
  });

  test.each(['', '{"turn":1', '{"turn":"1"}', 'null'])('says what to do about %j', async (text) => {
    await env.BUCKET.put(KEY, text);
    await expect(read()).rejects.toThrow(`Cannot read ${KEY}: it is not what this service writes there; delete it`);
  });
});

describe('swapState()', () => {
  test('changes nothing but what was read', async () => {
    const first = await swap(1, NONE);
    expect(await swapState(env.BUCKET, KEY, { turn: 7 }, NONE, clockAt(NOW))).toBeUndefined();
    const second = await swap(2, first);
    expect(await swapState(env.BUCKET, KEY, { turn: 7 }, first, clockAt(NOW))).toBeUndefined();
    expect(await read()).toMatchObject({ value: { turn: 2 }, etag: second.etag });
  });

  test('waits for what is left of a second, and not at all after one', async () => {
    const clock = clockAt(NOW);
    const wait = vi.spyOn(clock, 'wait');
    const first = await swap(1, NONE, clock);
    expect(wait).not.toHaveBeenCalled();
    letASecondPass();
    const second = await swap(2, { ...first, writtenAt: NOW - 400 }, clock);
    expect(wait.mock.calls).toEqual([[700]]);
    expect(second.writtenAt).toBe(NOW);
  });

  test('waits a second more when R2 refuses a second write, and then sees who has written', async () => {
    const first = await swap(1, NONE);
    const other = await swap(2, first);
    const clock = clockAt(NOW + 60_000);
    const wait = vi.spyOn(clock, 'wait');
    expect(await swapState(env.BUCKET, KEY, { turn: 3 }, first, clock)).toBeUndefined();
    expect(wait.mock.calls).toEqual([[1_100]]);
    expect((await read()).etag).toBe(other.etag);
  });

  test('throws what else R2 throws, and does not try again', async () => {
    const put = vi.spyOn(env.BUCKET, 'put').mockRejectedValue(new Error('put: Internal Error (10001)'));
    await expect(swap(1, NONE)).rejects.toThrow('10001');
    expect(put).toHaveBeenCalledOnce();
  });
});
