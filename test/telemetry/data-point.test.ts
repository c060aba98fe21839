/** The counters, through the whole service. */

import { reset } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { writeDataPoint } from '../../src/telemetry/data-point.ts';
import { ENDPOINT, post } from '../post.ts';
import { FULL_EVENT } from '../sample.ts';
import { outOfOrder } from '../stores.ts';
import { type Point, watchLog, watchPoints } from './watch.ts';

const HEADERS = { Authentication: `Bearer ${env.API_TOKEN}` };

/** The sum of `count` where the columns have these values. */
function total(points: readonly Point[], where: Partial<Point>): number {
  const wanted = Object.entries(where) as [keyof Point, string | number][];
  return points
    .filter((point) => wanted.every(([column, value]) => point[column] === value))
    .reduce((sum, { count }) => sum + count, 0);
}

const send = (body: object) =>
  exports.default.fetch(ENDPOINT, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) });

afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

test('what is accepted is landed or dead-lettered once the queue is empty', async () => {
  const points = watchPoints();
  await Promise.all(Array.from({ length: 20 }, () => send(FULL_EVENT)));
  await Promise.all(Array.from({ length: 4 }, () => send({ ...FULL_EVENT, EventType: 'Unheard' })));
  // Somebody else's messages in the queue of events.
  await Promise.all(['a', 'b', 'c'].map((foreign) => env.EVENTS.send(foreign, { contentType: 'text' })));

  await vi.waitFor(() => {
    const settled = ['landed', 'rejected', 'dead_lettered'].map((outcome) => total(points, { kind: 'batch', outcome }));
    expect(settled).toEqual([20, 4, 3]);
  }, 30_000);
  expect((await env.EVENTS.metrics()).backlogCount).toBe(0);
  const accepted = {
    kind: 'request',
    outcome: 'accepted',
    stored_in: 'queue',
    event_type: FULL_EVENT.EventType,
  } as const;
  expect(total(points, { ...accepted, source: 'default', status: 202, token: 1 })).toBe(20);
  expect(total(points, { kind: 'request', outcome: 'invalid_event', status: 422, event_type: '' })).toBe(4);
  expect(total(points, { outcome: 'retried' })).toBe(0);
});

test('a request that the queue does not take is answered, and counted, with the other path', async () => {
  const points = watchPoints();
  const events = { ...env.EVENTS, send: outOfOrder };
  const { status, headers } = await post(FULL_EVENT, env.API_TOKEN, { ...env, EVENTS: events });
  expect([status, Object.fromEntries(headers)]).toEqual([
    202,
    { 'content-type': 'application/json', 'x-stored-in': 'r2' },
  ]);
  expect(total(points, { outcome: 'accepted', stored_in: 'r2' })).toBe(1);
});

test.each([
  [undefined, 0],
  ['false', 0],
  ['true', 1],
])('an accepted event with LOG_ACCEPTED %j has %d log lines', async (LOG_ACCEPTED, count) => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const watched = { ...env, ...(LOG_ACCEPTED !== undefined && { LOG_ACCEPTED }) };
  expect((await post(FULL_EVENT, env.API_TOKEN, watched)).status).toBe(202);
  expect(log.mock.calls.filter(([line]) => line.event === 'request')).toHaveLength(count);
});

test('no data point and no log line holds anything of the guest, the token or the query', async () => {
  const lines = watchLog();
  const points = watchPoints();
  const bodies = [FULL_EVENT, { ...FULL_EVENT, EndUtc: 'secret-guest' }, { ...FULL_EVENT, IntegrationId: null }];
  for (const body of bodies) {
    await exports.default.fetch(`${ENDPOINT}?guest=secret-guest`, {
      method: 'POST',
      headers: HEADERS,
      body: JSON.stringify(body),
    });
  }
  await vi.waitFor(() => expect(total(points, { outcome: 'rejected' })).toBe(2), 10_000);
  const told = JSON.stringify([points, lines]);
  const { EventType: _, ReservationState: __, ...values } = FULL_EVENT;
  const secrets = Object.values(values).filter((value) => typeof value === 'string' && value.length > 3);
  for (const value of [...secrets, env.API_TOKEN, 'secret-guest', '?guest']) expect(told).not.toContain(value);
  const statuses = lines.filter(({ event }) => event === 'request');
  // The accepted event has none.
  expect(statuses.map(({ status }) => status)).toEqual([422, 422]);
});

test('`writeDataPoint()` has a token sampled by itself, so that one that is seldom used is seen', () => {
  const indexes: string[] = [];
  const dataset = { writeDataPoint: (point: { indexes: string[] }) => indexes.push(...point.indexes) };
  const happening = { kind: 'request', outcome: 'accepted', source: 'x'.repeat(64), count: 1, duration_ms: 0 } as const;
  for (const token of [1, 2, undefined])
    writeDataPoint(dataset, { ...happening, ...(token !== undefined && { token }) });
  expect(indexes).toEqual([`${happening.source}:1`, `${happening.source}:2`, happening.source]);
});

test('`writeDataPoint()` lets nothing fail', () => {
  const happening = { kind: 'request', outcome: 'accepted', source: '', count: 1, duration_ms: 0 } as const;
  const broken = {
    writeDataPoint() {
      throw new TypeError('out of order');
    },
  };
  expect(() => writeDataPoint(broken, happening)).not.toThrow();
  expect(() => writeDataPoint(undefined, happening)).not.toThrow();
});
