import { createScheduledController, reset } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../src/config.ts';
import worker from '../../src/index.ts';
import type { Status } from '../../src/status/answer.ts';
import { statusJson } from '../../src/status/status.ts';
import { LANDING_PARTITIONS, LOG_PREFIX, WATERMARK_KEY } from '../../src/storage/keys.ts';
import { post } from '../post.ts';
import { watermarkOf } from '../records.ts';
import { SMALL_EVENT } from '../sample.ts';
import { bucketWith, outOfOrder } from '../stores.ts';

const TOKENS = {
  a: `token-of-hotel-a-${'a'.repeat(32)}`,
  b: `token-of-hotel-b-${'b'.repeat(32)}`,
  analyst: `token-of-an-analyst-${'r'.repeat(32)}`,
  ops: `token-of-ops-${'o'.repeat(32)}`,
};
/** Without a limit, since tests ask again until everything is there. */
const { STATUS_RATE: _, ...unlimited } = env;
const SENDERS: Env = {
  ...unlimited,
  API_TOKENS: JSON.stringify({
    'hotel-a': { tokens: [TOKENS.a] },
    'hotel-b': { tokens: [TOKENS.b] },
    ops: { tokens: [TOKENS.ops], role: 'operator' },
    analyst: { tokens: [TOKENS.analyst], role: 'reader' },
  }),
};

/** What an earlier file sent has landed once this has, since a queue hands out one batch at a time. */
beforeAll(async () => {
  const marker = crypto.randomUUID();
  await send(TOKENS.a, { ReservationId: marker });
  await send(TOKENS.a, { ReservationId: marker, EventType: null });
  for (const prefix of ['landing/', 'rejected/']) {
    await vi.waitFor(async () => expect(await textOf(prefix)).toContain(marker), 30_000);
  }
  await reset();
});

async function textOf(prefix: string): Promise<string> {
  const { objects } = await env.BUCKET.list({ prefix });
  return (await Promise.all(objects.map(async ({ key }) => (await env.BUCKET.get(key))?.text()))).join('');
}

afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

const send = (token: string, change: object = {}) => post({ ...SMALL_EVENT, ...change }, token, SENDERS);

function ask(token: string, using: Env = SENDERS, method = 'GET'): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}` };
  return statusJson(new Request('https://intake.example/status.json', { method, headers }), using);
}

const statusOf = async (token: string, using?: Env) => (await ask(token, using)).json<Status>();
const sums = ({ senders }: Status) =>
  Object.fromEntries(
    senders.map(({ sender, accepted, refused }) => [
      sender,
      [accepted, refused].map((counts) => counts?.reduce((sum, count) => sum + count, 0)),
    ]),
  );

/** Waits until so many objects lie under a prefix. */
const objects = (prefix: string, count: number) =>
  vi.waitFor(
    async () => expect((await env.BUCKET.list({ prefix })).objects.length).toBeGreaterThanOrEqual(count),
    30_000,
  );

/** Two senders, accepted and refused, once everything is in R2. */
async function fill(): Promise<void> {
  for (const _ of [1, 2, 3]) await send(TOKENS.a);
  await send(TOKENS.b);
  expect((await send(TOKENS.a, { StartUtc: 'secret-value', EventType: null })).status).toBe(422);
  expect((await send(TOKENS.b, { PropertyId: null })).status).toBe(422);
  await vi.waitFor(
    async () => expect(sums(await statusOf(TOKENS.ops))).toEqual({ 'hotel-a': [3, 1], 'hotel-b': [1, 1] }),
    { timeout: 30_000, interval: 500 },
  );
}

describe('statusJson()', () => {
  test('shows a sender its own counts, and why bodies were refused, and no value', async () => {
    await fill();
    await objects('rejected/', 1);
    const response = await ask(TOKENS.a);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const text = await response.text();
    const status: Status = JSON.parse(text);
    expect(status).toMatchObject({ sender: 'hotel-a', operator: false, incomplete: [] });
    expect(sums(status)).toEqual({ 'hotel-a': [3, 1] });
    expect(status.hours).toHaveLength(24);
    expect(status.senders[0]?.accepted).toHaveLength(24);
    const reason = { problem: 'invalid-event', reason: 'invalid_event', count: 1 };
    expect(status.reasons).toEqual([
      { ...reason, fault: '' },
      { ...reason, fault: expect.stringMatching(/^(EventType|StartUtc):/) },
      { ...reason, fault: expect.stringMatching(/^(EventType|StartUtc):/) },
    ]);
    expect(status.refused).toMatchObject([
      { sender: 'hotel-a', bodies: 1, key: expect.stringMatching(/^rejected\/dt=/) },
    ]);
    expect(status.refused?.[0]?.first_at).toMatch(/Z$/);
    expect(status).not.toHaveProperty('service');
    for (const hidden of ['hotel-b', 'PropertyId', 'secret-value', TOKENS.a]) expect(text).not.toContain(hidden);
  });

  test('shows an operator all senders and the service, before and after publishing', async () => {
    await fill();
    const now = new Date().toISOString();
    await env.BUCKET.put(WATERMARK_KEY, JSON.stringify(watermarkOf(now)));
    const time = new Date(Date.now() + 3 * 3_600_000);
    for (const cron of [env.PUBLISH_CRON, env.TABLE_CRON]) {
      await worker.scheduled(createScheduledController({ cron, scheduledTime: time }), SENDERS);
    }
    expect((await env.BUCKET.list({ prefix: 'landing/' })).objects).toEqual([]);
    const status = await statusOf(TOKENS.ops);
    expect(sums(status)).toEqual({ 'hotel-a': [3, 1], 'hotel-b': [1, 1] });
    expect(status).toMatchObject({
      operator: true,
      incomplete: [],
      service: {
        version: { id: env.VERSION.id },
        failed: {},
        queues: [
          { name: env.LANDING_QUEUE, state: { messages: 0 } },
          { name: env.DEAD_LETTER_QUEUE, state: { messages: 0 } },
          { name: env.REJECTED_QUEUE, state: { messages: 0 } },
          { name: env.REJECTED_DEAD_LETTER_QUEUE, state: { messages: 0 } },
        ],
        published: {
          watermark: { complete_through: now, log_sequence: 1, late_events: 0, unrecognised_messages: 0 },
          last_run: { ended: 'done', rows: 4, readings_without_age: 0 },
          table: { ended: 'done', log_sequence: 1, complete_through: now },
        },
      },
    });
  });

  test('says what it does not know when the bucket or a queue does not answer', async () => {
    const BUCKET = bucketWith({ list: outOfOrder, get: outOfOrder });
    const EVENTS = { ...env.EVENTS, metrics: outOfOrder } as typeof env.EVENTS;
    const status = await statusOf(TOKENS.ops, { ...SENDERS, BUCKET, EVENTS });
    expect(status).toMatchObject({ senders: [], reasons: null, refused: null });
    expect(status.incomplete).toEqual([
      expect.stringContaining('what was accepted'),
      expect.stringContaining('what was refused'),
    ]);
    expect(status.service).toMatchObject({ published: null, queues: [{ state: null }, {}, {}, {}] });
    expect(Object.keys(status.service?.failed ?? {})).toEqual(['queue', 'backlog', 'bucket', 'published']);
    const own = await statusOf(TOKENS.a, { ...SENDERS, BUCKET });
    expect(own.senders).toEqual([{ sender: 'hotel-a', accepted: null, refused: null }]);
  });

  test('knows the state of the service before it lists the hours, which may take all connections', async () => {
    const prefixes: string[] = [];
    const list: R2Bucket['list'] = (options) => {
      prefixes.push(options?.prefix ?? '');
      return env.BUCKET.list(options);
    };
    await statusOf(TOKENS.ops, { ...SENDERS, BUCKET: bucketWith({ list }) });
    const ofTheService = [LANDING_PARTITIONS, LOG_PREFIX];
    expect(prefixes.slice(0, 2)).toEqual(ofTheService);
    expect(prefixes.slice(2).filter((prefix) => ofTheService.includes(prefix))).toEqual([]);
  });

  test('does not wait for a bucket that hangs', async () => {
    vi.useFakeTimers();
    const hangs = () => new Promise<never>(() => {});
    const asking = statusOf(TOKENS.a, { ...SENDERS, BUCKET: bucketWith({ list: hangs }) });
    await vi.advanceTimersByTimeAsync(20_000);
    vi.useRealTimers();
    expect((await asking).reasons).toBeNull();
  });

  test('counts what objects have of senders that they do not name, for an operator', async () => {
    const hour = new Date().toISOString();
    const key = `landing/dt=${hour.slice(0, 10)}/hour=${hour.slice(11, 13)}/old.ndjson`;
    await env.BUCKET.put(key, 'x\n', { customMetadata: { senders: 'hotel-a=2,*=7' } });
    const status = await statusOf(TOKENS.ops);
    expect(sums(status)).toEqual({ '*': [7, 0], 'hotel-a': [2, 0] });
    expect(status.incomplete).toEqual([expect.stringContaining('more senders than can be named')]);
  });

  test('lists no more than its limits, and says so', async () => {
    const list = vi.fn(async () => ({ objects: [], delimitedPrefixes: [], truncated: true as const, cursor: 'next' }));
    const status = await statusOf(TOKENS.a, { ...SENDERS, BUCKET: bucketWith({ list }) });
    expect(list).toHaveBeenCalledTimes(3 * 24 * 2);
    expect(status.incomplete).toHaveLength(2);
  });

  test.each<[string, () => Promise<Response>, number, string]>([
    ['no token', () => exports.default.fetch('https://intake.example/status.json'), 401, 'unauthorized'],
    ['a wrong token', () => ask('wrong'), 401, 'unauthorized'],
    [
      'a token in the address',
      () => exports.default.fetch(`https://intake.example/status.json?token=${env.API_TOKEN}`),
      401,
      'unauthorized',
    ],
    ['the token of a reader', () => ask(TOKENS.analyst), 403, 'forbidden-role'],
    ['another method', () => ask(TOKENS.a, SENDERS, 'POST'), 405, 'method-not-allowed'],
    [
      'a token that asks too often',
      () => ask(TOKENS.a, { ...SENDERS, STATUS_RATE: { limit: async () => ({ success: false }) } }),
      429,
      'too-many-requests',
    ],
    ['a broken configuration', () => ask(TOKENS.a, { ...SENDERS, LANDING_QUEUE: '' }), 503, 'unavailable'],
  ])('refuses %s, and says so in the log', async (_, asking, status, problem) => {
    const logged = vi.spyOn(console, 'log').mockReturnValue();
    const response = await asking();
    expect(response.status).toBe(status);
    expect(logged.mock.calls.flat()).toEqual([
      expect.objectContaining({ event: 'status', status, request_id: response.headers.get('x-request-id') }),
    ]);
    expect(await response.json()).toMatchObject({ type: expect.stringContaining(problem), status });
  });
});

test.each(['ops', 'analyst'] as const)('the token of %s posts nothing', async (name) => {
  const response = await send(TOKENS[name]);
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ type: '/problems/forbidden-role' });
  expect((await env.BUCKET.list()).objects).toEqual([]);
});
