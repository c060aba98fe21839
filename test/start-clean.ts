/** Test files share one runtime. What one has left in the queues must not land among the objects of the next. */

import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, vi } from 'vitest';
import { limitWrites } from '../src/local/limit-writes.ts';
import { bucketTime, letASecondPass, startBucketTime } from './clock.ts';

// A bucket as strict as R2, once for the runtime.
if (!Object.hasOwn(env.BUCKET, 'put')) limitWrites(env.BUCKET, bucketTime);

beforeEach(letASecondPass);

beforeAll(async () => {
  startBucketTime();
  for (const queue of [env.EVENTS, env.REJECTED, env.DEAD_LETTERS, env.REJECTED_DEAD_LETTERS]) {
    await vi.waitFor(async () => expect(await queue.metrics()).toMatchObject({ backlogCount: 0 }), 30_000);
  }
  await reset();
});
