/** A guest who is in every place at once, and is erased; runs are killed or overtaken at any call meanwhile. */

import { env } from 'cloudflare:workers';
import { v7 } from 'uuid';
import * as v from 'valibot';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { loadErasures } from '../../../src/guests/active-erasures.ts';
import { createKeyedDigest } from '../../../src/guests/digest.ts';
import { eraseRow } from '../../../src/guests/erase-row.ts';
import { eraseGuests, findUnfinished } from '../../../src/publish/erase/erase-guests.ts';
import { ERASE_LIMITS } from '../../../src/publish/erase/limits.ts';
import { LIMITS } from '../../../src/publish/limits.ts';
import { publish } from '../../../src/publish/publish.ts';
import type { Bucket } from '../../../src/storage/bucket.ts';
import { type ErasureRecord, ErasureRecordSchema, type ErasureRequest } from '../../../src/storage/erasure.ts';
import { TABLE_DATA } from '../../../src/storage/iceberg/table.ts';
import { erasureRecordKey, partitionOf } from '../../../src/storage/keys.ts';
import { runTable } from '../../../src/table/run-table.ts';
import { clockAt, stopBucketTime } from '../../clock.ts';
import { bucketWith } from '../../stores.ts';
import { toolsAt } from '../../table/events.ts';
import {
  emptyBucket,
  faultsOfLog,
  followedLines,
  HOUR,
  HOUR_MS,
  idOf,
  keysUnder,
  land,
  later,
  lineAt,
  PARTITION,
  publishedLines,
  readLog,
} from '../landing.ts';
import { heldUpAt, Killed, killedAt, momentsOf } from '../watched-bucket.ts';
import { active, askToErase, PSEUDONYM_KEY, whereIs } from './request.ts';

/** In every value of the guest, and in nothing else. */
const MARKER = 'zuzana';
const GUEST = {
  FirstName: 'zuzana',
  LastName: 'zuzana-nova',
  Email: 'zuzana@example.com',
  CustomerId: 'zuzana-77',
  StaffComment: 'zuzana is allergic to nuts',
};
const IDENTIFIERS = ['email:zuzana@example.com', 'phone:420602123456'];

const REJECTED = `rejected/${PARTITION}/kept.ndjson`;

const digest = createKeyedDigest(PSEUDONYM_KEY);
beforeAll(stopBucketTime);
afterEach(() => emptyBucket());

const [A, OTHER, WAITS, B, C] = [
  lineAt(HOUR, GUEST),
  lineAt(HOUR + 1),
  lineAt(HOUR + 2, GUEST),
  lineAt(HOUR + HOUR_MS),
  lineAt(HOUR + HOUR_MS + 1, { Email: ' ZUZANA@example.com', CustomerId: 'cust-3' }),
];
const EARLIER = lineAt(HOUR + 3, GUEST).replace(/"occurred_at":[^,]+,/, '');
const erased = (line: string) => eraseRow(line, digest);

/** The guest in all places, beside others, and the request as the search makes it. */
async function everywhere(): Promise<ErasureRequest> {
  await land([A, OTHER, EARLIER]);
  await land([B, C], partitionOf(new Date(HOUR + HOUR_MS)));
  await publish(env.BUCKET, clockAt(later()));
  // What is not published is gone by itself, and not edited.
  await env.BUCKET.put(REJECTED, JSON.stringify(GUEST));
  const parts = (await readLog()).map(({ key, partition }) => ({
    key,
    event_ids: partition === PARTITION ? [A, EARLIER].map(idOf) : [C].map(idOf),
    named_in: [],
  }));
  const request = await askToErase(IDENTIFIERS, { parts });
  // The queue delivers meanwhile what it held: an event, and a twin.
  await land([WAITS, A]);
  return request;
}

/** One run of the publisher. */
async function runOnce(bucket: Bucket, minutes: number, limits = ERASE_LIMITS): Promise<void> {
  const erasures = await loadErasures(bucket, PSEUDONYM_KEY);
  if (erasures === undefined) throw new Error('There is no request');
  const clock = clockAt(later(minutes));
  await publish(bucket, clock, LIMITS, undefined, erasures);
  await eraseGuests({ bucket, clock, limits }, erasures);
}

async function recordOf({ erasure_id }: ErasureRequest): Promise<ErasureRecord> {
  const object = await env.BUCKET.get(erasureRecordKey(erasure_id));
  return v.parse(ErasureRecordSchema, await object?.json());
}

/** Runs until the erasure is finished. */
async function settle(request: ErasureRequest, from = 100, limits = ERASE_LIMITS): Promise<ErasureRecord> {
  for (let run = 0; run < 40; run++) {
    await runOnce(env.BUCKET, from + run * 20, limits);
    const record = await recordOf(request);
    if (record.stage === 'finished') return record;
  }
  throw new Error('The erasure does not come to an end');
}

/** Nothing of the guest is anywhere, and everything else is as it was. */
async function expectErased(): Promise<void> {
  expect(await whereIs(MARKER)).toEqual([REJECTED]);
  expect(await whereIs('ZUZANA')).toEqual([]);
  const expected = [erased(A), OTHER, erased(EARLIER), erased(WAITS), B, erased(C)].sort();
  expect((await publishedLines()).sort()).toEqual(expected);
  expect((await followedLines()).sort()).toEqual(expected);
  expect(await faultsOfLog()).toEqual([]);
}

describe('eraseGuests()', () => {
  test('erases a guest in every place, and says what it has done without a value', async () => {
    const request = await everywhere();
    expect(await whereIs(MARKER)).toHaveLength(3);
    expect(await findUnfinished(env.BUCKET, await active())).toMatchObject({ unfinished_since: request.requested_at });
    const record = await settle(request);
    await expectErased();
    expect(record.parts.map(({ rows }) => rows)).toEqual([2, 1]);
    expect(record.caught.map(({ rows }) => rows)).toEqual([1]);
    expect(record).toMatchObject({ missing: [], finished_at: expect.any(String) });
    expect(await findUnfinished(env.BUCKET, await active())).toEqual({ unfinished_since: null, unreadable_records: 0 });
  });

  test('comes to the same end in many small runs', async () => {
    const request = await everywhere();
    await settle(request, 100, { ...ERASE_LIMITS, runParts: 1, partsAtOnce: 1 });
    await expectErased();
  });

  test('keeps the request until nothing of the guest can come any more, then deletes it and keeps the record', async () => {
    const request = await everywhere();
    await settle(request);
    const days = (count: number) => count * 24 * 60;
    // Both queues keep a message for 14 days, and a refused body can be replayed for 30 days after that.
    await runOnce(env.BUCKET, days(58));
    expect(await keysUnder('erasures/requests/')).toHaveLength(1);
    // Something still lies in landing: it may hold a guest.
    await env.BUCKET.put(`landing/${PARTITION}/${v7()}.ndjson`, WAITS, {
      customMetadata: { first_received_at: new Date(HOUR).toISOString() },
    });
    const clock = clockAt(later(days(61)));
    await eraseGuests({ bucket: env.BUCKET, clock, limits: ERASE_LIMITS }, await active());
    expect(await keysUnder('erasures/requests/')).toHaveLength(1);
    await runOnce(env.BUCKET, days(62));
    expect(await keysUnder('erasures/requests/')).toEqual([]);
    expect((await recordOf(request)).stage).toBe('finished');
    await expectErased();
  });

  test('waits for parts that are too young', async () => {
    const request = await everywhere();
    await runOnce(env.BUCKET, 29);
    expect(await recordOf(request)).toMatchObject({ stage: 'parts', done: 0, parts: [] });
    await runOnce(env.BUCKET, 31);
    expect((await recordOf(request)).parts).toHaveLength(2);
    await settle(request, 50);
    await expectErased();
  });

  test('searches newer parts when no run can be under way that does not know the request', async () => {
    await land([OTHER]);
    await publish(env.BUCKET, clockAt(later()));
    const request = await askToErase(IDENTIFIERS);
    await runOnce(env.BUCKET, 29);
    expect(await recordOf(request)).toMatchObject({ stage: 'newer_parts', done: 0, finished_at: null });
    // By a run that does not know the request, and ends late.
    await land([A]);
    await publish(env.BUCKET, clockAt(later()));
    await runOnce(env.BUCKET, 31);
    expect(await recordOf(request)).toMatchObject({ stage: 'finished', parts: [{ rows: 1 }] });
    expect(await whereIs(MARKER)).toEqual([]);
  });

  test('searches every newer part, a few a run', async () => {
    const request = await askToErase(IDENTIFIERS);
    for (const line of [OTHER, B, A]) {
      await land([line], partitionOf(new Date(Date.parse(JSON.parse(line).received_at))));
      await publish(env.BUCKET, clockAt(later()));
    }
    const record = await settle(request, 100, { ...ERASE_LIMITS, runParts: 1 });
    expect(record.parts.map(({ rows }) => rows)).toEqual([1]);
    expect(await whereIs(MARKER)).toEqual([]);
  });

  test('searches what stands in the place of a newer part, however young it is', async () => {
    const request = await askToErase(IDENTIFIERS);
    await land([A, OTHER]);
    await publish(env.BUCKET, clockAt(later()));
    const [part] = await readLog();
    const parts = [{ key: part?.key ?? '', event_ids: [idOf(OTHER)], named_in: [] }];
    const other = await askToErase(['email:john@example.com'], { parts });
    // By a run that knows the other request alone.
    const all = await active();
    const known = { ...all, requests: all.requests.filter(({ erasure_id }) => erasure_id === other.erasure_id) };
    await eraseGuests({ bucket: env.BUCKET, clock: clockAt(later(100)), limits: ERASE_LIMITS }, known);
    expect((await publishedLines()).sort()).toEqual([A, erased(OTHER)].sort());
    // The object in its place is as young as that run.
    const uploaded = new Date(later(100));
    const young = (object: R2Object) =>
      object.customMetadata?.stands_for === undefined
        ? object
        : new Proxy(object, { get: (of, name) => (name === 'uploaded' ? uploaded : Reflect.get(of, name)) });
    const bucket = bucketWith({
      head: async (key: string) => {
        const object = await env.BUCKET.head(key);
        return object && young(object);
      },
      list: async (options: R2ListOptions) => {
        const page = await env.BUCKET.list(options);
        return { ...page, objects: page.objects.map(young) };
      },
    });
    for (const minutes of [140, 160]) await runOnce(bucket, minutes);
    expect(await recordOf(request)).toMatchObject({ stage: 'finished', parts: [{ rows: 1 }] });
    expect(await whereIs(MARKER)).toEqual([]);
  });

  test('erases two guests of one part', async () => {
    const first = await everywhere();
    const second = await askToErase(['email:john@example.com', 'email:zoe@example.com'], {
      parts: first.parts.map(({ key }) => ({ key, event_ids: [OTHER, B].map(idOf), named_in: [] })),
      log_through: first.log_through,
    });
    await settle(first);
    const { parts } = await settle(second, 200);
    expect(parts.map(({ rows }) => rows)).toEqual([1, 1]);
    expect(await whereIs(MARKER)).toEqual([REJECTED]);
    for (const text of ['john@', 'zoe@', 'Zoë']) expect(await whereIs(text)).toEqual([]);
    expect((await followedLines()).map(idOf).sort()).toEqual([A, OTHER, EARLIER, WAITS, B, C].map(idOf).sort());
    expect(await faultsOfLog()).toEqual([]);
  });

  test('notes in the record of each of two guests what was caught before it was published', async () => {
    const first = await askToErase(IDENTIFIERS);
    const second = await askToErase(['email:zoe@example.com', 'email:john@example.com']);
    await land([A, OTHER]);
    await runOnce(env.BUCKET, 60);
    for (const request of [first, second]) {
      expect((await recordOf(request)).caught.map(({ rows }) => rows)).toEqual([1]);
    }
  });

  test('goes by the time of each request when there are several', async () => {
    const [own, after] = [lineAt(HOUR, GUEST), lineAt(HOUR + 2_000, GUEST)];
    await askToErase(IDENTIFIERS, { received_through: new Date(HOUR + 1_000).toISOString() });
    await askToErase(['email:john@example.com']);
    await land([own, after]);
    await runOnce(env.BUCKET, 60);
    expect((await publishedLines()).sort()).toEqual([erased(own), after].sort());
  });

  test('leaves the guest whose stay it is, where another is only named', async () => {
    const told = { StaffComment: 'bill to zuzana@example.com', Companions: [{ Email: 'zuzana@example.com' }] };
    const [found, late, waits] = [lineAt(HOUR, told), lineAt(HOUR + 1, told), lineAt(HOUR + 2, told)];
    await land([found]);
    await publish(env.BUCKET, clockAt(later()));
    const parts = (await readLog()).map(({ key }) => ({ key, event_ids: [], named_in: [idOf(found)] }));
    const request = await askToErase(IDENTIFIERS, { parts });
    await land([late]);
    await publish(env.BUCKET, clockAt(later()));
    await land([waits]);
    const record = await settle(request);
    expect(await whereIs('zuzana@')).toEqual([]);
    const rows = (await publishedLines()).map((line) => JSON.parse(line));
    expect(rows).toHaveLength(3);
    for (const row of rows) {
      const { first_name, last_name, email } = JSON.parse(OTHER);
      expect(row).toMatchObject({ first_name, last_name, email, staff_comment: null, extra: null });
      expect(row.warnings).toEqual(['staff_comment:erased', 'extra:erased']);
    }
    expect([...record.parts, ...record.caught].map(({ rows: count }) => count)).toEqual([1, 1, 1]);
  });

  test('leaves a guest who comes again, and an event that is delivered again stays erased', async () => {
    const request = await everywhere();
    await settle(request);
    const again = lineAt(Date.now() + HOUR_MS, GUEST);
    await land([again], partitionOf(new Date(Date.now() + HOUR_MS)));
    await land([A, C]);
    await runOnce(env.BUCKET, 600);
    const lines = await publishedLines();
    expect(lines).toContain(again);
    expect(lines.filter((line) => line.includes(MARKER))).toEqual([again]);
    expect(lines.filter((line) => idOf(line) === idOf(A))).toEqual([erased(A)]);
  });

  test('erases a refused body that is replayed, which happened before though it is received now', async () => {
    const request = await everywhere();
    await settle(request);
    const now = Date.now() + HOUR_MS;
    const replayed = lineAt(now, { ...GUEST, UpdatedUtc: new Date(HOUR).toISOString() });
    await land([replayed], partitionOf(new Date(now)));
    await runOnce(env.BUCKET, 600);
    expect(await whereIs(MARKER)).toEqual([REJECTED]);
    expect(await publishedLines()).toContain(erased(replayed));
  });

  test('is finished when no object of the table holds the guest any more', async () => {
    await land([A, OTHER]);
    await publish(env.BUCKET, clockAt(later()));
    const write = async (minutes: number) => runTable(await toolsAt(later(minutes)));
    await write(90);
    const [before] = await keysUnder(TABLE_DATA);
    expect(before).toBeDefined();
    const parts = (await readLog()).map(({ key }) => ({ key, event_ids: [idOf(A)], named_in: [] }));
    const request = await askToErase(IDENTIFIERS, { parts });
    for (const minutes of [100, 120, 140]) await runOnce(env.BUCKET, minutes);
    expect(await recordOf(request)).toMatchObject({ stage: 'table', finished_at: null });
    // Another erasure finds the row erased and has nothing to do itself: it is not finished either.
    const other = await askToErase(IDENTIFIERS, { parts });
    await runOnce(env.BUCKET, 145);
    expect(await recordOf(other)).toMatchObject({ stage: 'table', parts: [], finished_at: null });
    for (const minutes of [150, 215]) await write(minutes);
    expect(await keysUnder(TABLE_DATA)).not.toContain(before);
    await runOnce(env.BUCKET, 220);
    expect(await recordOf(request)).toMatchObject({ stage: 'finished' });
    expect(await recordOf(other)).toMatchObject({ stage: 'finished' });
  });

  test('counts the rows that hold more than is read, in which a guest may be left', async () => {
    await askToErase(IDENTIFIERS);
    const many = Array.from({ length: 2_000 }, (_, at) => `a${at}@example.com`).join(' ');
    await land([lineAt(HOUR, { StaffComment: many }), A]);
    const erasures = await active();
    await publish(env.BUCKET, clockAt(later()), LIMITS, undefined, erasures);
    expect(erasures.cut).toBe(1);
  });

  test('says that a part is gone and nothing in its place', async () => {
    await land([A]);
    await publish(env.BUCKET, clockAt(later()));
    const [part] = await readLog();
    const parts = [{ key: part?.key ?? '', event_ids: [idOf(A)], named_in: [] }];
    await env.BUCKET.delete(part?.key ?? '');
    const record = await settle(await askToErase(IDENTIFIERS, { parts }));
    expect(record).toMatchObject({ missing: [part?.key], parts: [] });
  });

  /** Moments before and after calls of two runs of the clock. */
  async function moments() {
    await everywhere();
    const run = async (bucket: Bucket) => {
      for (const minutes of [100, 120]) await runOnce(bucket, minutes);
    };
    const all = await momentsOf(run, 41, 100);
    await emptyBucket();
    return { run, moments: all };
  }

  test('comes to the same end when it is killed before or after any call', async () => {
    const { run, moments: tried } = await moments();
    for (const moment of tried) {
      const request = await everywhere();
      await expect(run(killedAt(moment))).rejects.toThrow(Killed);
      const record = await settle(request, 200);
      await expectErased();
      expect(record.parts.map(({ rows }) => rows).sort()).toEqual([1, 2]);
      expect(record.caught.map(({ rows }) => rows)).toEqual([1]);
      await emptyBucket();
    }
  }, 600_000);

  test('comes to the same end when another run overtakes it at any call', async () => {
    const { run, moments: tried } = await moments();
    for (const moment of tried) {
      const request = await everywhere();
      const bucket = heldUpAt(moment, () => runOnce(env.BUCKET, 110));
      await run(bucket).catch((error: unknown) => expect(String(error)).toContain('another run'));
      await settle(request, 200);
      await expectErased();
      await emptyBucket();
    }
  }, 600_000);
});
