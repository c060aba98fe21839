import { createExecutionContext, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MAX_LINE_BYTES } from '../../src/intake/limits.ts';
import { makeDurable } from '../../src/intake/make-durable.ts';

const KEY = 'landing/dt=2026-11-27/hour=21/01a21ef9-f32d-7279-bda2-96945fb413af.ndjson';
const LINE = '{"event_id":"01a21ef9-f32d-7279-bda2-96945fb413af","sender":"default"}\n';

/** What a store does, and after how many milliseconds. */
type Behaviour = readonly ['confirms' | 'refuses', number] | readonly ['hangs'];

function behave([verb, after = Number.POSITIVE_INFINITY]: Behaviour): Promise<object> {
  return new Promise((resolve, reject) => {
    if (verb === 'confirms') setTimeout(resolve, after, {});
    if (verb === 'refuses') setTimeout(reject, after, new Error('the store is down'));
  });
}

/** Makes a line durable with stores that behave so; tells which was asked when, and what came out when. */
async function run(queueIs: Behaviour, bucketIs: Behaviour) {
  const started = Date.now();
  const asked: { queue?: number; r2?: number } = {};
  const background = createExecutionContext();
  const ended = makeDurable(LINE, () => KEY, {
    queue: {
      send() {
        asked.queue = Date.now() - started;
        return behave(queueIs);
      },
    },
    bucket: {
      put() {
        asked.r2 = Date.now() - started;
        return behave(bucketIs);
      },
    },
    background,
  }).then((result) => ({ outcome: result.ok ? result.value : result.error.reason, after: Date.now() - started }));
  await vi.advanceTimersByTimeAsync(60_000);
  return { ...(await ended), asked };
}

describe('makeDurable()', () => {
  describe('with stores that fail', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    // Outcome, when it is known, and when R2 was asked, in milliseconds.
    test.each<[Behaviour, Behaviour, string, number, number | undefined]>([
      [['confirms', 10], ['hangs'], 'queue', 10, undefined],
      [['confirms', 1_499], ['hangs'], 'queue', 1_499, undefined],
      [['refuses', 0], ['confirms', 50], 'r2', 50, 0],
      [['refuses', 700], ['confirms', 50], 'r2', 750, 700],
      [['hangs'], ['confirms', 50], 'r2', 1_550, 1_500],
      [['confirms', 1_600], ['hangs'], 'queue', 1_600, 1_500],
      [['confirms', 1_600], ['refuses', 0], 'queue', 1_600, 1_500],
      [['confirms', 3_000], ['confirms', 200], 'r2', 1_700, 1_500],
      [['refuses', 3_000], ['confirms', 2_000], 'r2', 3_500, 1_500],
      [['refuses', 10], ['refuses', 10], 'stores_refused', 20, 10],
      [['refuses', 2_000], ['refuses', 100], 'stores_refused', 2_000, 1_500],
      [['refuses', 0], ['hangs'], 'stores_timed_out', 4_000, 0],
      [['hangs'], ['refuses', 0], 'stores_timed_out', 4_000, 1_500],
      [['hangs'], ['hangs'], 'stores_timed_out', 4_000, 1_500],
      [['confirms', 5_000], ['refuses', 5_000], 'stores_timed_out', 4_000, 1_500],
    ])('queue %j and R2 %j end with %s after %i ms', async (queueIs, bucketIs, outcome, after, bucketAsked) => {
      expect(await run(queueIs, bucketIs)).toEqual({ outcome, after, asked: { queue: 0, r2: bucketAsked } });
    });

    /** Whether each thing that was left to the background has ended, some milliseconds after the start. */
    async function leftTo(queueIs: Behaviour, bucketIs: Behaviour, moments: readonly number[]) {
      const ended: boolean[] = [];
      const background = {
        waitUntil(promise: Promise<unknown>) {
          const at = ended.push(false) - 1;
          promise.then(() => {
            ended[at] = true;
          });
        },
      };
      const stores = { queue: { send: () => behave(queueIs) }, bucket: { put: () => behave(bucketIs) }, background };
      const result = makeDurable(LINE, () => KEY, stores);
      const seen: boolean[][] = [];
      let now = 0;
      for (const moment of moments) {
        await vi.advanceTimersByTimeAsync(moment - now);
        now = moment;
        seen.push([...ended]);
      }
      expect((await result).ok).toBe(true);
      return seen;
    }

    test('lets the queue finish when the client leaves before it is answered', async () => {
      expect(await leftTo(['confirms', 10], ['hangs'], [0, 10])).toEqual([[false], [true]]);
    });

    test('lets the store that comes second finish after the answer', async () => {
      const moments = [1_499, 1_500, 1_700, 3_000];
      const ended = [[false], [false, false], [false, true], [true, true]];
      expect(await leftTo(['confirms', 3_000], ['confirms', 200], moments)).toEqual(ended);
    });
  });

  describe('with the real stores', () => {
    afterEach(() => reset());

    test('writes the same line to R2 when the queue throws at once', async () => {
      const queue = {
        send() {
          throw new Error('Queue send failed: Too Many Requests');
        },
      };
      const background = createExecutionContext();
      const result = await makeDurable(LINE, () => KEY, { queue, bucket: env.BUCKET, background });
      expect(result).toEqual({ ok: true, value: 'r2' });
      expect(await (await env.BUCKET.get(KEY))?.text()).toBe(LINE);
    });

    test.each([
      [MAX_LINE_BYTES, 'queue'],
      [MAX_LINE_BYTES + 1, 'r2'],
    ])('puts a line of %i bytes on %s', async (bytes, path) => {
      const line = 'é'.repeat(bytes / 2).padEnd(bytes - Math.floor(bytes / 2), 'x');
      const send = vi.fn(async () => ({}));
      const background = createExecutionContext();
      const result = await makeDurable(line, () => KEY, { queue: { send }, bucket: env.BUCKET, background });
      expect(result).toEqual({ ok: true, value: path });
      expect(send).toHaveBeenCalledTimes(path === 'queue' ? 1 : 0);
    });
  });
});
