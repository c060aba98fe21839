import { expect, test } from 'vitest';
import { countLocalQueues } from '../../src/cli/local-queues.ts';

test('`countLocalQueues()` counts what is put on the queues and what is taken off', () => {
  const queues = countLocalQueues();
  const counts = [
    { event: 'request', status: 202, stored_in: 'queue' },
    { event: 'request', status: 202, stored_in: 'r2' },
    { event: 'request', status: 422, stored_in: 'queue' },
    { event: 'request', status: 401 },
    { event: 'refused_body_kept_late', stored_in: 'queue' },
    { event: 'batch', messages: 2, retried: 1, landed: 1 },
    { event: 'published', messages: 1 },
    { event: 'batch', messages: 2, retried: 0, rejected: 2 },
    { event: 'request', status: 207, events: 1_000, refused: 20, queued: 17 },
    { event: 'request', status: 200, events: 1_000, refused: 0, queued: 0 },
    { event: 'batch', messages: 17, landed: 17 },
  ].map((line) => {
    queues.read(JSON.stringify(line));
    return queues.waiting;
  });
  expect(counts).toEqual([1, 1, 2, 2, 3, 2, 2, 0, 17, 17, 0]);
});

test.each(['', '[wrangler:info] POST /', '{"event":', '{"event":"batch"}'])(
  '`countLocalQueues()` takes nothing from %j',
  (line) => {
    const queues = countLocalQueues();
    queues.read(line);
    expect(queues.waiting).toBe(0);
  },
);
