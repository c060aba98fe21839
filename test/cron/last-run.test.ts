import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { isIdle, recordRun } from '../../src/cron/last-run.ts';
import type { LastRun } from '../../src/storage/last-run.ts';
import { clockAt } from '../clock.ts';
import { HOUR, land, lineAt } from '../publish/landing.ts';
import { lastRunOf } from '../records.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

const RAN_AT = Date.parse('2026-07-10T12:00:00.000Z');
const MINUTE_MS = 60_000;

function ran(facts: Partial<LastRun> = {}): Promise<void> {
  const run = lastRunOf({ started_at: new Date(RAN_AT).toISOString(), ...facts });
  return recordRun(env.BUCKET, run, clockAt(Date.parse(run.started_at)));
}

/** Queues in which so many messages wait. */
const queues = (events: number, deadLetters: number) => {
  const of = (backlogCount: number) =>
    ({ metrics: async () => ({ backlogCount, backlogBytes: 0 }) }) as unknown as Queue<string>;
  return { bucket: env.BUCKET, events: of(events), deadLetters: of(deadLetters) };
};

test('isIdle() asks for one listing and nothing else that R2 counts as an operation of class A', async () => {
  await ran();
  const [list, put] = [vi.spyOn(env.BUCKET, 'list'), vi.spyOn(env.BUCKET, 'put')];
  expect(await isIdle(queues(0, 0), RAN_AT + MINUTE_MS)).toBe(true);
  expect([list.mock.calls.length, put.mock.calls.length]).toEqual([1, 0]);
});

test.each<[string, Partial<LastRun> | undefined, number, [number, number]]>([
  ['no run yet', undefined, 1, [0, 0]],
  ['a run of three minutes ago', {}, 3, [0, 0]],
  ['a run that has failed', { ended: 'failed' }, 1, [0, 0]],
  ['a run that has left some', { ended: 'more' }, 1, [0, 0]],
  ['a guest who is to be erased', { unfinished_erasure_since: new Date(RAN_AT).toISOString() }, 1, [0, 0]],
  ['an event in the queue', {}, 1, [1, 0]],
  ['an event in the dead-letter queue', {}, 1, [0, 1]],
])('isIdle() is false with %s', async (_, last, minutes, waiting) => {
  if (last !== undefined) await ran(last);
  expect(await isIdle(queues(...waiting), RAN_AT + minutes * MINUTE_MS)).toBe(false);
});

test('isIdle() is false when something has landed', async () => {
  await ran();
  await land([lineAt(HOUR)]);
  expect(await isIdle(queues(0, 0), RAN_AT + MINUTE_MS)).toBe(false);
});

test('isIdle() is false when the bucket does not answer, and says so', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  await ran();
  vi.spyOn(env.BUCKET, 'list').mockRejectedValue(new Error('list: Internal Error (10001)'));
  expect(await isIdle(queues(0, 0), RAN_AT + MINUTE_MS)).toBe(false);
  expect(logged).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ event: 'idle_unknown' }));
});

const [EARLIER, LATER] = ['2026-07-10T11:00:00.000Z', '2026-07-10T12:00:00.000Z'];

test.each([
  ['done', LATER],
  ['more', LATER],
  ['busy', EARLIER],
  ['overtaken', EARLIER],
  ['failed', EARLIER],
] as const)(
  '`recordRun()` takes for the last good run, after one that ended with %s, that of %s',
  async (ended, good) => {
    await ran({ started_at: EARLIER });
    await ran({ started_at: LATER, ended });
    const record = await (await env.BUCKET.get('publish/last-run.json'))?.json();
    expect(record).toMatchObject({ started_at: LATER, ended, last_good_at: good });
  },
);
