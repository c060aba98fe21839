/** Copies of a real bucket that follow its log, over connections that break. */

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PullRequest } from '../../../src/cli/events/plan-pull.ts';
import { pull } from '../../../src/cli/events/pull.ts';
import { pullCsv } from '../../../src/cli/events/pull-csv.ts';
import { verify } from '../../../src/cli/events/verify.ts';
import { openFolder } from '../../../src/cli/folder-store.ts';
import type { LocalService } from '../../../src/cli/local-service.ts';
import { type ObjectStore, openStore } from '../../../src/cli/object-store.ts';
import { logKey, WATERMARK_KEY } from '../../../src/storage/keys.ts';
import { sharedService } from '../../e2e/shared-service.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import {
  ALL,
  clearPublished,
  idsIn,
  type MadePart,
  makeColumnar,
  makePart,
  NEVER,
  NINE,
  publishColumnar,
  publishParts,
  TEN,
  writeWatermark,
} from './publish.ts';

const FROM_TEN: PullRequest = { ...ALL, range: { from: new Date('2026-03-01T10:00:00Z') } };

let service: LocalService;
let root: string;
let store: ObjectStore;
/** A new one for each test. */
let folder: string;
let one: MadePart;
let two: MadePart;
let three: MadePart;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'events-test-'));
  service = await sharedService();
  store = openStore(service.store);
});

afterAll(() => rm(root, { recursive: true }));

beforeEach(async () => {
  await clearPublished(store);
  folder = await mkdtemp(join(root, 'copy-'));
  const ids = idsIn(NINE, 40);
  one = makePart(1, NINE, ids.slice(0, 30));
  two = makePart(2, NINE, ids.slice(30));
  three = makePart(3, TEN, idsIn(TEN, 5));
  await publishParts(store, [one, two, three]);
  await writeWatermark(store, '2026-03-01T11:00:00.000Z', 3);
});

const pathOf = (part: MadePart) => join(folder, part.entry.key);
const holds = (part: MadePart) => existsSync(pathOf(part));
const hasWatermark = () => existsSync(join(folder, WATERMARK_KEY));

async function findings() {
  const request = { range: {}, place: 'copy', settledBefore: new Date('9999-01-01') } as const;
  return (await verify(openFolder(folder), request, NEVER)).findings;
}

/** The bucket, with notes on what is read of it. */
function noting(before: (key: string) => Promise<void> = async () => {}) {
  const reads: { key: string; from: number }[] = [];
  const noted: ObjectStore = {
    ...store,
    async read(key, from = 0) {
      reads.push({ key, from });
      await before(key);
      return store.read(key, from);
    },
  };
  return { noted, reads };
}

test('`pull()` copies the parts, the log and the watermark, and then only what is new', async () => {
  expect(await pull(store, folder, ALL, NEVER)).toMatchObject({ fetched: 3, removed: 0 });
  expect(await readFile(pathOf(one))).toEqual(one.body);
  expect(await findings()).toEqual([]);
  expect(await readFile(join(folder, WATERMARK_KEY))).toEqual(await store.get(WATERMARK_KEY));
  await publishParts(store, [makePart(4, TEN, idsIn(TEN, 3))]);
  expect(await pull(store, folder, ALL, NEVER)).toMatchObject({ fetched: 1, removed: 0 });
  expect(await findings()).toEqual([]);
});

test('`pull()` copies what is late, although its key sorts before others', async () => {
  await pull(store, folder, ALL, NEVER);
  const late = makePart(4, 'dt=2026-02-01/hour=00', idsIn('dt=2026-02-01/hour=00', 2));
  await publishParts(store, [late]);
  await pull(store, folder, ALL, NEVER);
  expect(holds(late)).toBe(true);
});

test('`pull()` compares checksums and not sizes', async () => {
  await pull(store, folder, ALL, NEVER);
  const changed = Buffer.from(one.body);
  changed.writeUInt8(changed.readUInt8(100) ^ 1, 100);
  await writeFile(pathOf(one), changed);
  expect(await pull(store, folder, ALL, NEVER)).toMatchObject({ fetched: 1 });
  expect(await readFile(pathOf(one))).toEqual(one.body);
});

test.each([
  ['its beginning', () => one.body.subarray(0, 100), [100]],
  ['all of it', () => one.body, () => [one.body.length]],
  ['something else', () => Buffer.alloc(100), [100, 0]],
  ['more than it', () => Buffer.concat([one.body, one.body]), [0]],
])('`pull()` goes on with a copy that broke off when the file has %s', async (_, part, expected) => {
  await mkdir(dirname(pathOf(one)), { recursive: true });
  await writeFile(`${pathOf(one)}.part`, part());
  const { noted, reads } = noting();
  await pull(noted, folder, ALL, NEVER);
  const offsets = reads.filter(({ key }) => key === one.entry.key).map(({ from }) => from);
  expect(offsets).toEqual(typeof expected === 'function' ? expected() : expected);
  expect(await findings()).toEqual([]);
  expect(existsSync(`${pathOf(one)}.part`)).toBe(false);
});

test('`pull()` tries again where connections break in mid-body, and names them', async () => {
  const random = () => crypto.getRandomValues(Buffer.alloc(3_000)).toString('base64');
  const large = makePart(4, TEN, idsIn(TEN, 100), { extra: random });
  await publishParts(store, [large]);
  // One connection at a time carries the large part; each of the first ones breaks somewhere within it.
  const proxy = await startCuttingProxy(Number(new URL(service.origin).port), (at) => (at < 12 ? 90_000 : undefined));
  const warnings: string[] = [];
  const url = service.store.url.replace(/:\d+/, `:${proxy.port}`);
  const cut = openStore({ ...service.store, url }, NEVER, (warning) => warnings.push(warning));
  await pull(cut, folder, ALL, NEVER);
  await proxy.close();
  expect(await findings()).toEqual([]);
  expect(proxy.cuts).toBeGreaterThan(1);
  const named = warnings.map((warning) =>
    /^Reading (.*): the connection broke after (\d+) of (\d+) bytes/.exec(warning),
  );
  expect(named.length).toBeGreaterThan(1);
  for (const match of named) {
    const [, key, after, of] = match ?? [];
    expect([key, of]).toEqual([large.entry.key, String(large.entry.bytes)]);
    expect(Number(after)).toBeGreaterThan(0);
    expect(Number(after)).toBeLessThan(large.entry.bytes);
  }
});

test('`pull()` leaves what it has of a broken copy for the next run', async () => {
  const broken = new Error('broken');
  const breaking: ObjectStore = {
    ...store,
    async read(key, from) {
      const body = await store.read(key, from);
      return key === one.entry.key && body !== undefined ? breakAfter(body) : body;
    },
  };
  async function* breakAfter(body: AsyncIterable<Uint8Array<ArrayBuffer>>) {
    for await (const chunk of body) {
      yield chunk.subarray(0, 150);
      throw broken;
    }
  }
  await expect(pull(breaking, folder, ALL, NEVER)).rejects.toBe(broken);
  expect(hasWatermark()).toBe(false);
  const { noted, reads } = noting();
  await pull(noted, folder, ALL, NEVER);
  expect(reads).toContainEqual({ key: one.entry.key, from: 150 });
  expect(await findings()).toEqual([]);
});

test('`pull()` refuses an object that is not what the log says', async () => {
  await store.delete(one.entry.key);
  await store.create(one.entry.key, two.body);
  await expect(pull(store, folder, ALL, NEVER)).rejects.toThrow(`Cannot copy ${one.entry.key}: its SHA-256 is`);
  expect(holds(one)).toBe(false);
  expect(hasWatermark()).toBe(false);
});

test('`pull()` deletes what was replaced once the replacement is there, whatever range is asked for', async () => {
  await pull(store, folder, ALL, NEVER);
  await writeFile(`${pathOf(one)}.part`, 'broken');
  const replacement = makePart(4, NINE, one.eventIds, { replaces: one.entry.key });
  const last = makePart(5, NINE, one.eventIds, { replaces: replacement.entry.key });
  await publishParts(store, [replacement, last]);
  for (const { entry } of [one, replacement]) await store.delete(entry.key);
  const oldWasThere: boolean[] = [];
  const { noted } = noting(async (key) => {
    if (key === last.entry.key) oldWasThere.push(holds(one));
  });
  expect(await pull(noted, folder, FROM_TEN, NEVER)).toMatchObject({ fetched: 1, removed: 2 });
  expect(oldWasThere).toEqual([true]);
  expect((await readdir(dirname(pathOf(one)))).sort()).toEqual(
    [two, last].map(({ entry }) => entry.key.split('/').at(-1)).sort(),
  );
  expect(await findings()).toEqual([]);
});

test('`pullCsv()` makes the table of a replacement and deletes that of the part it replaces, whatever range is asked for', async () => {
  const tables = (range: PullRequest['range']) => pullCsv(store, folder, range, join(root, 'scratch'), NEVER);
  const tableOf = ({ entry }: MadePart) => join(folder, 'csv', entry.key.replace(/ndjson\.gz$/, 'csv.gz'));
  expect(await tables({})).toMatchObject({ fetched: 3, removed: 0 });
  const replacement = makePart(4, NINE, one.eventIds, { replaces: one.entry.key });
  await publishParts(store, [replacement]);
  await store.delete(one.entry.key);
  expect(await tables(FROM_TEN.range)).toMatchObject({ files: [tableOf(three)], fetched: 1, removed: 1 });
  expect([one, two, replacement].map((part) => existsSync(tableOf(part)))).toEqual([false, true, true]);
  const [header, ...rows] = gunzipSync(await readFile(tableOf(replacement)))
    .toString()
    .trimEnd()
    .split('\n');
  expect(header?.split(',')[0]).toBe('event_id');
  expect(rows.map((row) => row.split(',')[0]).sort()).toEqual(one.eventIds.toSorted());
  expect(await tables({})).toMatchObject({ fetched: 0, removed: 0 });
});

test('`pull()` keeps what was replaced when the replacement cannot be had', async () => {
  await pull(store, folder, ALL, NEVER);
  const replacement = makePart(4, NINE, one.eventIds, { replaces: one.entry.key });
  await publishParts(store, [{ entry: replacement.entry, body: two.body }]);
  await expect(pull(store, folder, ALL, NEVER)).rejects.toThrow('its SHA-256 is');
  expect(holds(one)).toBe(true);
});

test('`pull()` follows a replacement that comes while it copies', async () => {
  const replacement = makePart(4, NINE, one.eventIds, { replaces: one.entry.key });
  const { noted } = noting(async (key) => {
    if (key !== one.entry.key) return;
    await publishParts(store, [replacement]);
    await store.delete(key);
  });
  await pull(noted, folder, ALL, NEVER);
  expect([holds(one), holds(replacement)]).toEqual([false, true]);
  expect(await findings()).toEqual([]);
});

test('`pull()` says which object the bucket has lost', async () => {
  await store.delete(two.entry.key);
  await expect(pull(store, folder, ALL, NEVER)).rejects.toThrow(`Cannot copy ${two.entry.key}: the log names it`);
  expect(hasWatermark()).toBe(false);
});

test('`pull()` writes no watermark that says more than the folder holds', async () => {
  await pull(store, folder, FROM_TEN, NEVER);
  expect([holds(one), holds(three), hasWatermark()]).toEqual([false, true, false]);
  await pull(store, folder, ALL, NEVER);
  expect(hasWatermark()).toBe(true);
  // A later one that the range does not reach leaves the earlier one as it is: it is still true.
  const earlier = await readFile(join(folder, WATERMARK_KEY));
  await publishParts(store, [makePart(4, NINE, idsIn(NINE, 1))]);
  await writeWatermark(store, '2026-03-01T12:00:00.000Z', 4);
  await pull(store, folder, FROM_TEN, NEVER);
  expect(await readFile(join(folder, WATERMARK_KEY))).toEqual(earlier);
  // It goes when what it counts has gone.
  await rm(pathOf(one));
  await pull(store, folder, FROM_TEN, NEVER);
  expect(hasWatermark()).toBe(false);
});

test('`pull()` writes no watermark that rests on more than the log has', async () => {
  await writeWatermark(store, '2026-03-01T12:00:00.000Z', 4);
  await pull(store, folder, ALL, NEVER);
  expect([holds(one), hasWatermark()]).toEqual([true, false]);
});

test('`pull()` copies nothing by a log with a gap', async () => {
  await store.delete(logKey(2));
  await expect(pull(store, folder, ALL, NEVER)).rejects.toThrow('events/v1/_log/: entry 2 is missing');
  expect(holds(one)).toBe(false);
});

test('`pull()` copies the entries of the log again that are missing or damaged', async () => {
  await pull(store, folder, ALL, NEVER);
  await rm(join(folder, logKey(1)));
  await writeFile(join(folder, logKey(2)), '{');
  await pull(store, folder, ALL, NEVER);
  expect(await findings()).toEqual([]);
});

test('`pull()` does not mix two buckets in a folder', async () => {
  await pull(store, folder, ALL, NEVER);
  await clearPublished(store);
  await publishParts(store, [
    makePart(1, NINE, idsIn(NINE, 1)),
    makePart(2, NINE, idsIn(NINE, 1)),
    makePart(3, NINE, idsIn(NINE, 1)),
  ]);
  await expect(pull(store, folder, ALL, NEVER)).rejects.toThrow('is not the one of this bucket; name another folder');
  expect(holds(one)).toBe(true);
});

test('`pull()` deletes no file but what the log has replaced', async () => {
  const foreign = [
    'notes.txt',
    'events/v1/dt=2026-03-01/hour=09/mine.ndjson.gz',
    'events/v1/_log/mine.json',
    'landing/x',
  ];
  for (const name of foreign) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), name);
  }
  await pull(store, folder, ALL, NEVER);
  for (const name of foreign) expect(await readFile(join(folder, name), 'utf8')).toBe(name);
});

test('`pull()` copies columnar objects in place of the parts that they cover, and follows erasures through them', async () => {
  const COLUMNAR: PullRequest = { range: {}, prefer: 'parquet', exclusive: true };
  const there = ({ entry }: { readonly entry: { readonly key: string } }) => existsSync(join(folder, entry.key));
  const next = makePart(4, 'dt=2026-03-02/hour=00', idsIn('dt=2026-03-02/hour=00', 2));
  await publishParts(store, [next]);
  await writeWatermark(store, '2026-03-02T11:00:00.000Z', 4);
  await pull(store, folder, ALL, NEVER);
  const day = makeColumnar(1, [one, two, three]);
  await publishColumnar(store, [day]);
  expect(await pull(store, folder, COLUMNAR, NEVER)).toMatchObject({ fetched: 1, removed: 3 });
  expect([one, two, three, next, day].map(there)).toEqual([false, false, false, true, true]);
  expect([await findings(), hasWatermark()]).toEqual([[], true]);

  // The part is replaced, and the object that covers it some time later.
  const replacement = makePart(5, NINE, one.eventIds, { replaces: one.entry.key });
  await publishParts(store, [replacement]);
  await store.delete(one.entry.key);
  await pull(store, folder, COLUMNAR, NEVER);
  expect([two, three, replacement, day].map(there)).toEqual([true, true, true, false]);
  expect([await findings(), hasWatermark()]).toEqual([[], true]);

  const rows = day.entry.rows;
  const renewed = makeColumnar(2, [one, two, three, replacement], {
    operation: 'replace',
    replaces: day.entry.key,
    rows,
  });
  await publishColumnar(store, [renewed]);
  await store.delete(day.entry.key);
  expect(await pull(store, folder, COLUMNAR, NEVER)).toMatchObject({ fetched: 1, removed: 3 });
  expect([two, three, replacement, renewed].map(there)).toEqual([false, false, false, true]);
  expect([await findings(), hasWatermark()]).toEqual([[], true]);
});
