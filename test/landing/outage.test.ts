/** A long outage of R2, delivery by delivery, with the time that passes between them counted instead of waited for. */

import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { consume } from '../../src/landing/consume.ts';
import { ndjson } from '../../src/storage/line.ts';
import { bucketWith, outOfOrder } from '../stores.ts';
import { deliveryOf } from './delivery.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

const DAY_SECONDS = 86_400;
/** max_retries in wrangler.toml allows one delivery more. */
const MAX_DELIVERIES = 100;

const EVENT = ndjson({ event_id: '01a21ef9-f32d-7279-bda2-96945fb413af', sender: 'default' });
const REJECTION = ndjson({ rejection_id: '01a21ef9-f32d-7279-bda2-96945fb413af', sender: 'default' });

test.each([
  ['landing', 'LANDING_QUEUE', EVENT, DAY_SECONDS],
  ['rejected', 'REJECTED_QUEUE', REJECTION, DAY_SECONDS],
  ['landing', 'DEAD_LETTER_QUEUE', EVENT, 13 * DAY_SECONDS],
  ['rejected', 'REJECTED_DEAD_LETTER_QUEUE', REJECTION, 13 * DAY_SECONDS],
  ['dead-letter', 'DEAD_LETTER_QUEUE', 'foreign', 13 * DAY_SECONDS],
] as const)('a message for %s outlasts an outage of R2 in %s', async (prefix, queue, line, outageSeconds) => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  // The least patient that the jitter makes it.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  let elapsed = 0;
  const bucket = bucketWith({
    put: (...args: Parameters<R2Bucket['put']>) => (elapsed < outageSeconds ? outOfOrder() : env.BUCKET.put(...args)),
  });
  let acknowledged = false;
  let attempts = 0;
  while (!acknowledged && attempts < MAX_DELIVERIES) {
    attempts += 1;
    const told: unknown[] = [];
    const message = deliveryOf(line, told, { attempts });
    await consume({ queue: env[queue], messages: [message] }, { ...env, BUCKET: bucket });
    acknowledged = told[0] === 'ack';
    if (!acknowledged) elapsed += Number(told[0]);
  }
  expect(acknowledged).toBe(true);
  expect(elapsed).toBeGreaterThanOrEqual(outageSeconds);
  const { objects } = await env.BUCKET.list();
  expect(objects).toMatchObject([{ key: expect.stringMatching(`^${prefix}/dt=`) }]);
  expect(errors.mock.calls.filter(([line]) => line.event === 'line_on_wrong_queue')).toEqual([]);
});
