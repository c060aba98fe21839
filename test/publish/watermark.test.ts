import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { moveWatermark, type Queues } from '../../src/publish/watermark.ts';
import { createObject } from '../../src/storage/create-object.ts';
import { HOUR, HOUR_MS, land, lineAt, MINUTE_MS } from './landing.ts';

afterEach(() => reset());

const EMPTY = { backlogCount: 0, backlogBytes: 0 };
const NOW = HOUR + HOUR_MS + 30 * MINUTE_MS;

/** Queues that say this of themselves. */
function queues(events: object = EMPTY, deadLetters: object = EMPTY): Queues {
  return {
    events: { metrics: async () => ({ ...EMPTY, ...events }) },
    deadLetters: { metrics: async () => ({ ...EMPTY, ...deadLetters }) },
  };
}

async function stored(): Promise<unknown> {
  return (await env.BUCKET.get('events/v1/_watermark.json'))?.json();
}

describe('moveWatermark()', () => {
  test('leaves five minutes to requests under way when nothing waits anywhere', async () => {
    await moveWatermark(env.BUCKET, queues(), NOW);
    expect(await stored()).toEqual({
      complete_through: '2026-07-10T10:25:00.000Z',
      dead_letters: 0,
      updated_at: '2026-07-10T10:30:00.000Z',
    });
  });

  test('understands the metrics of a real queue', async () => {
    await moveWatermark(env.BUCKET, { events: env.EVENTS, deadLetters: env.DEAD_LETTERS }, NOW);
    expect(await stored()).toMatchObject({ complete_through: '2026-07-10T10:25:00.000Z' });
  });

  test.each([
    ['the oldest message in the queue', { backlogCount: 3, oldestMessageTimestamp: new Date(HOUR) }, EMPTY, '08:55'],
    ['the same as a number', { backlogCount: 3, oldestMessageTimestamp: HOUR }, EMPTY, '08:55'],
  ])('stays before %s', async (_, events, deadLetters, time) => {
    await moveWatermark(env.BUCKET, queues(events, deadLetters), NOW);
    expect(await stored()).toMatchObject({ complete_through: `2026-07-10T${time}:00.000Z` });
  });

  test.each([
    ['the queue does not say how old its oldest message is', { backlogCount: 1 }, EMPTY],
    ['the queue does not know how old it is', { backlogCount: 1, oldestMessageTimestamp: new Date(0) }, EMPTY],
    ['a dead letter waits, which may be of any age', EMPTY, { backlogCount: 1, oldestMessageTimestamp: new Date(NOW) }],
  ])('does not move while %s', async (_, events, deadLetters) => {
    expect(await moveWatermark(env.BUCKET, queues(events, deadLetters), NOW)).toBeUndefined();
    await moveWatermark(env.BUCKET, queues(), NOW);
    await moveWatermark(env.BUCKET, queues(events, deadLetters), NOW + HOUR_MS);
    expect(await stored()).toMatchObject({ complete_through: '2026-07-10T10:25:00.000Z' });
  });

  test('stays at the start of the first hour that has anything left in landing/', async () => {
    await land([lineAt(HOUR)]);
    await moveWatermark(env.BUCKET, queues(), NOW);
    expect(await stored()).toMatchObject({ complete_through: '2026-07-10T09:00:00.000Z' });
  });

  test('passes over what lies in no hour, and stays before what lies in one', async () => {
    await createObject(env.BUCKET, 'landing/dt=2026-07-10/README.txt', ['somebody put this here']);
    await moveWatermark(env.BUCKET, queues(), NOW - MINUTE_MS);
    expect(await stored()).toMatchObject({ complete_through: '2026-07-10T10:24:00.000Z' });
    await env.BUCKET.delete('events/v1/_watermark.json');
    await land([lineAt(HOUR)]);
    await moveWatermark(env.BUCKET, queues(), NOW);
    expect(await stored()).toMatchObject({ complete_through: '2026-07-10T09:00:00.000Z' });
  });

  test('never moves back', async () => {
    await moveWatermark(env.BUCKET, queues(), NOW);
    await land([lineAt(HOUR)]);
    await moveWatermark(env.BUCKET, queues(), NOW - HOUR_MS);
    expect(await stored()).toMatchObject({ complete_through: '2026-07-10T10:25:00.000Z' });
  });

  test('counts the dead letters that were received before it', async () => {
    await createObject(env.BUCKET, 'dead-letter/dt=2026-07-10/hour=08/a.ndjson', ['{}\n', '{}\n']);
    await createObject(env.BUCKET, 'dead-letter/dt=2026-07-10/hour=10/b.ndjson', ['{}\n']);
    await createObject(env.BUCKET, 'dead-letter/dt=2026-07-10/hour=11/c.ndjson', ['{}\n']);
    await moveWatermark(env.BUCKET, queues(), NOW);
    expect(await stored()).toMatchObject({ complete_through: '2026-07-10T10:25:00.000Z', dead_letters: 3 });
  });

  test('counts a dead letter no more when it was replayed', async () => {
    await createObject(env.BUCKET, 'dead-letter/dt=2026-07-10/hour=08/a.ndjson', ['{}\n', '{}\n']);
    await createObject(env.BUCKET, 'dead-letter/dt=2026-07-10/hour=08/b.ndjson', ['{}\n']);
    await createObject(env.BUCKET, 'replayed/dead-letter/dt=2026-07-10/hour=08/a.ndjson', ['{}\n']);
    await moveWatermark(env.BUCKET, queues(), NOW);
    expect(await stored()).toMatchObject({ dead_letters: 1 });
  });
});
