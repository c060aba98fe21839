import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openGuests } from '../../../src/publish/parquet/guests.ts';
import { PARQUET_LIMITS } from '../../../src/publish/parquet/limits.ts';
import { publishParquet } from '../../../src/publish/parquet/publish-parquet.ts';
import { partitionOf } from '../../../src/storage/keys.ts';
import { sequencesOf } from '../../../src/storage/parquet-entry.ts';
import { clockAt, stopBucketTime } from '../../clock.ts';
import { emptyBucket, HOUR, HOUR_MS, lineAt } from '../landing.ts';
import { callsOf, heldUpAt, Killed, killedAt } from '../watched-bucket.ts';
import { completeThrough, parquetLog, parquetObjects, publishPart } from './published.ts';

const DAY = '2026-07-10';
const NOON = partitionOf(new Date(HOUR));
const NEXT_DAY = HOUR + 24 * HOUR_MS;
/** A moment at which nothing that came late has to wait any longer. */
const NOW = HOUR + 72 * HOUR_MS;
const LEASE_OVER = NOW + 2 * PARQUET_LIMITS.leaseMs;

const KEY = 'a key of thirty-two characters or more';
const KEPT = await openGuests('kept', undefined);
const LEFT_OUT = await openGuests('left_out', KEY);

const run = (limits = {}, now = NOW, guests = KEPT) =>
  publishParquet(env.BUCKET, clockAt(now), { ...PARQUET_LIMITS, ...limits }, guests);

beforeAll(stopBucketTime);

beforeEach(() => emptyBucket());
afterEach(() => emptyBucket());

/** Three parts of a day and one of the next, of which the first day is complete. */
async function scene() {
  const first = await publishPart(1, NOON, [lineAt(HOUR), lineAt(HOUR + 1)]);
  await publishPart(2, partitionOf(new Date(NEXT_DAY)), [lineAt(NEXT_DAY)]);
  await publishPart(3, NOON, [lineAt(HOUR + 2)]);
  await publishPart(4, partitionOf(new Date(HOUR + HOUR_MS)), [lineAt(HOUR + HOUR_MS)]);
  await completeThrough('2026-07-11T12:00:00.000Z');
  return first;
}

/** How often the objects that stand cover each sequence. */
async function coverage(): Promise<Record<number, number>> {
  const log = await parquetLog();
  const gone = new Set(log.map(({ replaces }) => replaces));
  const counts: Record<number, number> = {};
  for (const { key, covers } of log) {
    if (gone.has(key)) continue;
    for (const sequence of sequencesOf(covers)) counts[sequence] = (counts[sequence] ?? 0) + 1;
  }
  return counts;
}

describe('publishParquet()', () => {
  test('writes a day that is complete, once, and says which parts it holds', async () => {
    await scene();
    expect(await run()).toMatchObject({ ended: 'done', objects: 1, rows: 4 });
    expect(await run()).toMatchObject({ ended: 'done', objects: 0 });
    const [entry, ...more] = await parquetLog();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      sequence: 1,
      operation: 'add',
      key: `parquet/v1/dt=${DAY}/00000000000000000001-00000000000000000004.parquet`,
      replaces: null,
      day: DAY,
      rows: 4,
      first_received_at: new Date(HOUR).toISOString(),
      last_received_at: new Date(HOUR + HOUR_MS).toISOString(),
      guest_columns: 'kept',
      covers: [
        [1, 1],
        [3, 4],
      ],
    });
    const object = await env.BUCKET.get(entry?.key ?? '');
    const body = await object?.arrayBuffer();
    expect(body?.byteLength).toBe(entry?.bytes);
    expect(new Uint8Array(await crypto.subtle.digest('SHA-256', body ?? new ArrayBuffer())).toHex()).toBe(
      entry?.sha256,
    );
    expect(new TextDecoder().decode(body?.slice(0, 4))).toBe('PAR1');
  });

  test('writes nothing before there is a watermark, or of a day that is not over', async () => {
    await scene();
    await env.BUCKET.delete('events/v1/_watermark.json');
    expect(await run()).toMatchObject({ ended: 'done', objects: 0 });
    await completeThrough('2026-07-10T23:59:59.999Z');
    expect(await run()).toMatchObject({ ended: 'done', objects: 0 });
    await completeThrough('2026-07-11T00:00:00.000Z');
    expect(await run()).toMatchObject({ ended: 'done', objects: 1 });
  });

  test('gives what came late an object of its own, after it has waited for company', async () => {
    await scene();
    await run();
    const late = '2026-07-12T08:00:00.000Z';
    await publishPart(5, NOON, [lineAt(HOUR + 5)], { committed_at: late });
    await publishPart(6, NOON, [lineAt(HOUR + 6)], { committed_at: late });
    expect(await run({}, Date.parse(late) + PARQUET_LIMITS.lateMs - 1)).toMatchObject({ objects: 0 });
    expect(await run({}, Date.parse(late) + PARQUET_LIMITS.lateMs)).toMatchObject({ objects: 1, rows: 2 });
    expect(await coverage()).toEqual({ 1: 1, 3: 1, 4: 1, 5: 1, 6: 1 });
  });

  test('spreads a day over objects and runs when it has more rows than fit', async () => {
    await scene();
    const limits = { objectRows: 2, runRows: 2, groupRows: 1 };
    expect(await run(limits)).toMatchObject({ ended: 'more', objects: 1, rows: 2 });
    expect(await run(limits)).toMatchObject({ ended: 'done', objects: 1, rows: 2 });
    expect(await coverage()).toEqual({ 1: 1, 3: 1, 4: 1 });
  });

  test('reads the log in pieces', async () => {
    await scene();
    expect(await run({ logEntries: 1 })).toMatchObject({ objects: 1, rows: 2 });
    for (let more = 2; more <= 4; more++) await run({ logEntries: 1 });
    expect(await coverage()).toEqual({ 1: 1, 3: 1, 4: 1 });
  });

  test('reads a part that was replaced before any object covered it in its new form', async () => {
    const first = await scene();
    await publishPart(5, NOON, [lineAt(HOUR)], { operation: 'replace', replaces: first.key });
    await env.BUCKET.delete(first.key);
    expect(await run()).toMatchObject({ objects: 1, rows: 3 });
    expect(await coverage()).toEqual({ 1: 1, 3: 1, 4: 1, 5: 1 });
  });

  test('writes an object anew when one of its parts was replaced, and deletes the old one', async () => {
    const first = await scene();
    await run();
    const [old = ''] = await parquetObjects();
    const second = await publishPart(5, NOON, [lineAt(HOUR)], { operation: 'replace', replaces: first.key });
    await publishPart(6, NOON, [lineAt(HOUR)], { operation: 'replace', replaces: second.key });
    await env.BUCKET.delete([first.key, second.key]);
    expect(await run()).toMatchObject({ objects: 1, rows: 3 });
    const [, entry] = await parquetLog();
    expect(entry).toMatchObject({ operation: 'replace', replaces: old });
    expect(await parquetObjects()).toEqual([entry?.key]);
    expect(await coverage()).toEqual({ 1: 1, 3: 1, 4: 1, 5: 1, 6: 1 });
  });

  test('stops with an error that names the object when a part is gone and the log does not say why', async () => {
    const first = await scene();
    await env.BUCKET.delete(first.key);
    await expect(run()).rejects.toThrow(/Cannot write parquet\/v1\/dt=2026-07-10\/.*one of its parts is missing/);
    expect(await parquetLog()).toEqual([]);
  });

  test('stands back while another run has the lease', async () => {
    await scene();
    await expect(
      publishParquet(killedAt({ call: 12, when: 'after' }), clockAt(NOW), PARQUET_LIMITS, KEPT),
    ).rejects.toThrow();
    expect(await run()).toMatchObject({ ended: 'busy', objects: 0 });
  });

  test('writes objects anew that show guests in another way than now, some in each run, and each once', async () => {
    await scene();
    await run({ objectRows: 2 });
    const before = await parquetObjects();
    expect(await run({ runRows: 2 }, NOW, LEFT_OUT)).toMatchObject({ ended: 'more', objects: 1, rows: 2 });
    expect(await run({ runRows: 2 }, NOW, LEFT_OUT)).toMatchObject({ ended: 'done', objects: 1, rows: 2 });
    expect(await run({}, NOW, LEFT_OUT)).toMatchObject({ ended: 'done', objects: 0 });
    const log = await parquetLog();
    expect(log.map(({ operation, replaces, guest_columns }) => [operation, replaces, guest_columns])).toEqual([
      ['add', null, 'kept'],
      ['add', null, 'kept'],
      ['replace', before[0], 'left_out'],
      ['replace', before[1], 'left_out'],
    ]);
    expect(await coverage()).toEqual({ 1: 1, 3: 1, 4: 1 });
    expect(await parquetObjects()).toEqual(log.slice(2).map(({ key }) => key));
  });

  test('writes objects anew when the key of pseudonyms has changed, and when guests are shown again', async () => {
    await scene();
    for (const guests of [
      await openGuests('pseudonyms', KEY),
      await openGuests('pseudonyms', `${KEY}, another one`),
      KEPT,
    ]) {
      expect(await run({}, NOW, guests)).toMatchObject({ ended: 'done', objects: 1 });
      expect(await run({}, NOW, guests)).toMatchObject({ ended: 'done', objects: 0 });
      expect((await parquetLog()).at(-1)?.guest_columns).toBe(guests.columns);
    }
    expect(await parquetObjects()).toHaveLength(1);
    expect(new Set((await parquetLog()).map(({ key }) => key)).size).toBe(3);
  });
});

describe('openGuests()', () => {
  test.each(['left_out', 'pseudonyms'] as const)('says what to do when there is no key for %s', async (columns) => {
    await expect(openGuests(columns, undefined)).rejects.toThrow(
      `PARQUET_GUEST_COLUMNS = "${columns}" needs the secret PSEUDONYM_KEY`,
    );
  });
});

/** What is replaced in the midst of it all: an object has to be written new, one anew, and then guests are left out. */
async function busyScene(): Promise<void> {
  const first = await scene();
  await run({ objectRows: 2, runRows: 2 });
  await publishPart(5, NOON, [lineAt(HOUR)], { operation: 'replace', replaces: first.key });
}

/** Runs until nothing is left, each time past the lease of the run before, then compares. */
async function settle(): Promise<void> {
  for (let more = 1; ; more++) {
    const { ended, objects } = await run({}, LEASE_OVER + more * 2 * PARQUET_LIMITS.leaseMs, LEFT_OUT);
    if (ended === 'done' && objects === 0) break;
    if (more > 6) throw new Error('Columnar objects do not come to an end');
  }
  const log = await parquetLog();
  const gone = new Set(log.map(({ replaces }) => replaces));
  expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, at) => at + 1));
  expect(await coverage()).toEqual({ 1: 1, 3: 1, 4: 1, 5: 1 });
  expect(log.filter(({ key }) => !gone.has(key)).map(({ guest_columns }) => guest_columns)).not.toContain('kept');
  expect(await parquetObjects()).toEqual(
    log
      .map(({ key }) => key)
      .filter((key) => !gone.has(key))
      .sort(),
  );
}

describe('publishParquet() covers each part once', () => {
  test('when it is killed before or after any call, or held up there while others do all the work', async () => {
    await busyScene();
    const calls = await callsOf((bucket) => publishParquet(bucket, clockAt(LEASE_OVER), PARQUET_LIMITS, LEFT_OUT));
    expect(calls.filter((call) => call === 'put').length).toBeGreaterThan(6);
    for (let call = 1; call <= calls.length; call += __THOROUGH__ ? 1 : 8) {
      for (const when of ['before', 'after'] as const) {
        await emptyBucket();
        await busyScene();
        const killed = publishParquet(killedAt({ call, when }), clockAt(LEASE_OVER), PARQUET_LIMITS, LEFT_OUT);
        await expect(killed).rejects.toThrow(Killed);
        await settle();

        await emptyBucket();
        await busyScene();
        const meanwhile = () => run({}, LEASE_OVER + 2 * PARQUET_LIMITS.leaseMs, LEFT_OUT).then(() => undefined);
        await publishParquet(heldUpAt({ call, when }, meanwhile), clockAt(LEASE_OVER), PARQUET_LIMITS, LEFT_OUT);
        await settle();
      }
    }
  }, 120_000);
});
