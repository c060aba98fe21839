import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { writeThenSettle } from '../../src/landing/write-then-settle.ts';
import { outOfOrder } from '../stores.ts';
import { deliveryOf } from './delivery.ts';

afterEach(() => reset());

const receivedAt = new Date('2026-11-27T21:47:06.925Z');

/** A message that notes what the queue is told, and whether an object was there by then. */
function item(attempts: number, told: unknown[]) {
  const line = '{"event_id":"01a21ef9-f32d-7279-bda2-96945fb413af"}\n';
  return { delivery: deliveryOf(line, told, { attempts }), lines: [line], receivedAt };
}

describe('writeThenSettle()', () => {
  test('tells the queue nothing before R2 has confirmed', async () => {
    const told: unknown[] = [];
    const toldBefore: unknown[] = [];
    const put = async (...args: Parameters<R2Bucket['put']>) => {
      // The object is there before R2 says so; whatever is not waited for has had its turn by then.
      const object = await env.BUCKET.put(...args);
      expect(await env.BUCKET.head(args[0])).not.toBeNull();
      toldBefore.push(...told);
      return object;
    };
    const settled = await writeThenSettle({ put }, 'landing', 'queue', [item(1, told), item(1, told)]);
    expect(settled).toEqual({ written: 2, retried: 0, objects: 1 });
    expect(toldBefore).toEqual([]);
    expect(told).toEqual(['ack', 'ack']);
  });

  test('says in the log what could not be written, and for how many messages', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await writeThenSettle({ put: outOfOrder }, 'landing', 'queue', [item(1, []), item(1, [])]);
    expect(logged.mock.calls).toEqual([
      [
        expect.objectContaining({
          event: 'write_failed',
          message: 'Internal Error (10001)',
          key: expect.stringMatching(/^landing\/dt=2026-11-27\/hour=21\/.*\.ndjson$/),
          messages: 2,
        }),
      ],
    ]);
    logged.mockRestore();
  });

  test('tries again when R2 says that the key is taken, and overwrites nothing', async () => {
    const told: unknown[] = [];
    const taken = { put: () => Promise.resolve(null) };
    await writeThenSettle(taken, 'landing', 'queue', [item(1, told)]);
    expect(told).toHaveLength(1);
    expect(told[0]).toBeGreaterThanOrEqual(30);
    expect(told[0]).toBeLessThanOrEqual(33);
    expect((await env.BUCKET.list()).objects).toEqual([]);
  });
});
