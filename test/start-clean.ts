/** Test files share one runtime. What one has left in the queues must not land among the objects of the next. */

import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, vi } from 'vitest';

beforeAll(async () => {
  for (const queue of [env.EVENTS, env.REJECTED, env.DEAD_LETTERS, env.REJECTED_DEAD_LETTERS]) {
    await vi.waitFor(async () => expect(await queue.metrics()).toMatchObject({ backlogCount: 0 }), 30_000);
  }
  await reset();
});
