import { env } from 'cloudflare:workers';
import { v7 } from 'uuid';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Queues } from '../../src/publish/readings.ts';
import { moveWatermark } from '../../src/publish/watermark.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { createObject } from '../../src/storage/create-object.ts';
import { eventsKey } from '../../src/storage/keys.ts';
import { clockAt } from '../clock.ts';
import { bucketWith } from '../stores.ts';
import { publishPart } from '../table/events.ts';
import { emptyBucket, HOUR, HOUR_MS, land, lineAt, MINUTE_MS, PARTITION } from './landing.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await emptyBucket();
});

const EMPTY = { backlogCount: 0 };
const NOW = HOUR + HOUR_MS + 30 * MINUTE_MS;

/** Queues that say this of themselves. */
function queues(events: object = EMPTY, deadLetters: object = EMPTY): Queues {
  return {
    events: { metrics: async () => ({ ...EMPTY, ...events }) },
    deadLetters: { metrics: async () => ({ ...EMPTY, ...deadLetters }) },
  };
}

/** Moves it at a moment. */
const move = async (bucket: Bucket, of: Queues, now: number) =>
  (await moveWatermark(bucket, of, clockAt(now), now)).watermark;

/** Runs every five minutes of a window, the last time at a moment. */
async function settleAt(moment: number, bucket: Bucket = env.BUCKET) {
  for (let minutes = 25; minutes > 0; minutes -= 5) await move(bucket, queues(), moment - minutes * MINUTE_MS);
  return move(bucket, queues(), moment);
}

async function stored(): Promise<unknown> {
  return (await env.BUCKET.get('events/v1/_watermark.json'))?.json();
}

describe('moveWatermark()', () => {
  test('says nothing before a whole window, then all that is known', async () => {
    expect(await move(env.BUCKET, queues(), NOW - 25 * MINUTE_MS)).toBeUndefined();
    expect(await stored()).toBeUndefined();
    const written = await settleAt(NOW);
    expect(await stored()).toEqual(written);
    expect(written).toEqual({
      complete_through: '2026-07-10T10:00:00.000Z',
      unrecognised_messages: 0,
      late_events: 0,
      last_late_at: null,
      log_sequence: 0,
      updated_at: '2026-07-10T10:30:00.000Z',
    });
  });

  test('stays at the first event that is left in landing/', async () => {
    await land([lineAt(HOUR + 20 * MINUTE_MS), lineAt(HOUR + 10 * MINUTE_MS)]);
    await land([lineAt(HOUR + 15 * MINUTE_MS)]);
    expect(await settleAt(NOW)).toMatchObject({ complete_through: '2026-07-10T09:10:00.000Z' });
  });

  test('stays at the start of the hour when an object does not say what is in it', async () => {
    await land([lineAt(HOUR + 20 * MINUTE_MS)]);
    await env.BUCKET.put(`landing/${PARTITION}/a.ndjson`, lineAt(HOUR + 25 * MINUTE_MS));
    expect(await settleAt(NOW)).toMatchObject({ complete_through: '2026-07-10T09:00:00.000Z' });
  });

  test('stops at a part that is open, whose sources may be gone and which may have no entry yet', async () => {
    const part = { partition: PARTITION, output: eventsKey(PARTITION, v7({ msecs: HOUR })), sources: [] };
    const lease = { run: 'killed', lease_until: 0, parts: [part], attempts: 1, log_sequence: 0, gathering: [] };
    await env.BUCKET.put('publish/lease.json', JSON.stringify(lease));
    expect(await settleAt(NOW)).toMatchObject({ complete_through: '2026-07-10T09:00:00.000Z' });
    await env.BUCKET.put('publish/lease.json', JSON.stringify({ ...lease, parts: [] }));
    expect(await settleAt(NOW)).toMatchObject({ complete_through: '2026-07-10T10:00:00.000Z' });
  });

  test('passes over what lies in no hour', async () => {
    await createObject(env.BUCKET, 'landing/dt=2026-07-10/README.txt', ['somebody put this here']);
    await createObject(env.BUCKET, 'landing/dt=2026-02-30/hour=24/a.ndjson', ['somebody put this here']);
    expect(await settleAt(NOW)).toMatchObject({ complete_through: '2026-07-10T10:00:00.000Z' });
  });

  test('never moves back, also when what it knows is lost', async () => {
    await settleAt(NOW);
    await land([lineAt(HOUR)]);
    await env.BUCKET.delete('publish/watermark.json');
    await settleAt(NOW + HOUR_MS);
    expect(await stored()).toMatchObject({
      complete_through: '2026-07-10T10:00:00.000Z',
      updated_at: '2026-07-10T11:30:00.000Z',
    });
  });

  test('stands still while dead letters wait', async () => {
    await settleAt(NOW);
    await move(env.BUCKET, queues(EMPTY, { backlogCount: 1 }), NOW + MINUTE_MS);
    expect(await settleAt(NOW + 4 * HOUR_MS)).toMatchObject({ complete_through: '2026-07-10T10:00:00.000Z' });
    expect(await settleAt(NOW + 6 * HOUR_MS)).toMatchObject({ complete_through: '2026-07-10T16:00:00.000Z' });
  });

  test.each(['publish/watermark.json', 'events/v1/_watermark.json'])(
    'writes nothing and promises nothing when another run has changed %s meanwhile',
    async (key) => {
      await settleAt(NOW);
      let others = 0;
      const bucket = bucketWith({
        async put(...args: Parameters<R2Bucket['put']>) {
          if (args[0] === key && others++ === 0) await move(env.BUCKET, queues(), NOW + 2 * MINUTE_MS);
          return env.BUCKET.put(...args);
        },
      });
      expect(await move(bucket, queues(), NOW + MINUTE_MS)).toBeUndefined();
      expect(await stored()).toMatchObject({ updated_at: '2026-07-10T10:32:00.000Z' });
    },
  );

  test('counts once what was published behind it, and says so', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    await publishPart(1, [lineAt(HOUR)], {}, HOUR);
    expect(await settleAt(NOW)).toMatchObject({ late_events: 0, log_sequence: 1 });
    await publishPart(2, [lineAt(HOUR + 1), lineAt(HOUR + 2)], {}, NOW + MINUTE_MS);
    const first = await move(env.BUCKET, queues(), NOW + 2 * MINUTE_MS);
    expect(first).toMatchObject({ late_events: 2, last_late_at: '2026-07-10T10:31:00.000Z', log_sequence: 2 });
    await move(env.BUCKET, queues(), NOW + 3 * MINUTE_MS);
    expect(await stored()).toMatchObject({ late_events: 2, last_late_at: '2026-07-10T10:31:00.000Z' });
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ new_late_events: 2 }));
  });

  test('counts nothing late that was planned before', async () => {
    await settleAt(NOW);
    await publishPart(1, [lineAt(HOUR + 2)], {}, HOUR + MINUTE_MS);
    await move(env.BUCKET, queues(), NOW + 2 * MINUTE_MS);
    expect(await stored()).toMatchObject({ late_events: 0, last_late_at: null, log_sequence: 1 });
  });

  test('counts the messages in dead-letter/ every ten minutes', async () => {
    const letters = (name: string, rows: string) =>
      env.BUCKET.put(`dead-letter/${PARTITION}/${name}.ndjson`, '{}\n', { customMetadata: { rows } });
    await letters('a', '2');
    await letters('b', 'many');
    await settleAt(NOW);
    expect(await stored()).toMatchObject({ unrecognised_messages: 3 });
    await letters('c', '5');
    await move(env.BUCKET, queues(), NOW + 9 * MINUTE_MS);
    expect(await stored()).toMatchObject({ unrecognised_messages: 3 });
    await move(env.BUCKET, queues(), NOW + 10 * MINUTE_MS);
    expect(await stored()).toMatchObject({ unrecognised_messages: 8 });
  });

  test('counts the readings in a row that know no age', async () => {
    const ageless = queues({ backlogCount: 1 });
    const look = (of: Queues, minutes: number) => {
      const now = NOW + minutes * MINUTE_MS;
      return moveWatermark(env.BUCKET, of, clockAt(now), now);
    };
    expect(await look(queues(), 0)).toMatchObject({ without_age: 0, without_age_since: null });
    await look(ageless, 1);
    expect(await look(ageless, 2)).toMatchObject({ without_age: 2, without_age_since: NOW + MINUTE_MS });
    expect(await look(queues(), 3)).toMatchObject({ without_age: 0, without_age_since: null });
  });
});
