/** Copies of a real bucket that follow its log. */

import { existsSync } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pull } from '../../../src/cli/events/pull.ts';
import { verify } from '../../../src/cli/events/verify.ts';
import { createFolderStore } from '../../../src/cli/folder-store.ts';
import type { LocalService } from '../../../src/cli/local-service.ts';
import { createObjectStore, type ObjectStore } from '../../../src/cli/object-store.ts';
import { logKey, WATERMARK_KEY } from '../../../src/storage/keys.ts';
import { sharedService } from '../../e2e/shared-service.ts';
import {
  clearPublished,
  idsIn,
  type MadePart,
  makePart,
  NEVER,
  NINE,
  publishParts,
  TEN,
  writeWatermark,
} from './publish.ts';

const FROM_TEN = { from: new Date('2026-03-01T10:00:00Z') };

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
  store = createObjectStore(service.store);
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
  const request = { range: {}, settledBefore: new Date('9999-01-01') };
  return (await verify(createFolderStore(folder), request, NEVER)).findings;
}

/** The bucket, with notes on what is read of it. */
function noting(before: (key: string) => Promise<void> = async () => {}) {
  const reads: string[] = [];
  const noted: ObjectStore = {
    ...store,
    async get(key) {
      reads.push(key);
      await before(key);
      return store.get(key);
    },
  };
  return { noted, reads };
}

test('`pull()` copies the parts, the log and the watermark, and then only what is new', async () => {
  expect(await pull(store, folder, {}, NEVER)).toMatchObject({ fetched: 3, removed: 0 });
  expect(await readFile(pathOf(one))).toEqual(one.body);
  expect(await findings()).toEqual([]);
  expect(await readFile(join(folder, WATERMARK_KEY))).toEqual(await store.get(WATERMARK_KEY));
  await publishParts(store, [makePart(4, TEN, idsIn(TEN, 3))]);
  expect(await pull(store, folder, {}, NEVER)).toMatchObject({ fetched: 1, removed: 0 });
  expect(await findings()).toEqual([]);
});

test.each([
  ['an hour that it cuts', { from: new Date('2026-03-01T09:30Z') }, () => [one, two, three]],
  ['nothing outside of it', { to: new Date('2026-03-01T10:00Z') }, () => [one, two]],
])('`pull()` takes of a range %s', async (_, range, expected) => {
  const { files } = await pull(store, folder, range, NEVER);
  expect(files.toSorted()).toEqual(expected().map(pathOf).sort());
});

test('`pull()` copies what is late, although its key sorts before others', async () => {
  await pull(store, folder, {}, NEVER);
  const late = makePart(4, 'dt=2026-02-01/hour=00', idsIn('dt=2026-02-01/hour=00', 2));
  await publishParts(store, [late]);
  await pull(store, folder, {}, NEVER);
  expect(holds(late)).toBe(true);
});

test('`pull()` compares checksums and not sizes', async () => {
  await pull(store, folder, {}, NEVER);
  const changed = Buffer.from(one.body);
  changed.writeUInt8(changed.readUInt8(100) ^ 1, 100);
  await writeFile(pathOf(one), changed);
  expect(await pull(store, folder, {}, NEVER)).toMatchObject({ fetched: 1 });
  expect(await readFile(pathOf(one))).toEqual(one.body);
});

test('`pull()` copies again what a run left half written, and nothing that is whole', async () => {
  await pull(store, folder, {}, NEVER);
  await rename(pathOf(one), `${pathOf(one)}.part`);
  await truncate(`${pathOf(one)}.part`, 100);
  const { noted, reads } = noting();
  expect(await pull(noted, folder, {}, NEVER)).toMatchObject({ fetched: 1 });
  expect(reads.filter((key) => key.endsWith('.gz'))).toEqual([one.entry.key]);
  expect(await findings()).toEqual([]);
  expect(existsSync(`${pathOf(one)}.part`)).toBe(false);
});

test('`pull()` refuses an object that is not what the log says', async () => {
  await store.delete(one.entry.key);
  await store.create(one.entry.key, two.body);
  await expect(pull(store, folder, {}, NEVER)).rejects.toThrow(`Cannot copy ${one.entry.key}: its SHA-256 is`);
  expect(holds(one)).toBe(false);
  expect(hasWatermark()).toBe(false);
});

test('`pull()` deletes what was replaced once the replacement is there, whatever range is asked for', async () => {
  await pull(store, folder, {}, NEVER);
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

test('`pull()` keeps what was replaced when the replacement cannot be had', async () => {
  await pull(store, folder, {}, NEVER);
  const replacement = makePart(4, NINE, one.eventIds, { replaces: one.entry.key });
  await publishParts(store, [{ entry: replacement.entry, body: two.body }]);
  await expect(pull(store, folder, {}, NEVER)).rejects.toThrow('its SHA-256 is');
  expect(holds(one)).toBe(true);
});

test('`pull()` follows a replacement that comes while it copies', async () => {
  const replacement = makePart(4, NINE, one.eventIds, { replaces: one.entry.key });
  const { noted } = noting(async (key) => {
    if (key !== one.entry.key) return;
    await publishParts(store, [replacement]);
    await store.delete(key);
  });
  await pull(noted, folder, {}, NEVER);
  expect([holds(one), holds(replacement)]).toEqual([false, true]);
  expect(await findings()).toEqual([]);
});

test('`pull()` says which object the bucket has lost', async () => {
  await store.delete(two.entry.key);
  await expect(pull(store, folder, {}, NEVER)).rejects.toThrow(`Cannot copy ${two.entry.key}: the log names it`);
  expect(hasWatermark()).toBe(false);
});

test('`pull()` writes no watermark that says more than the folder holds', async () => {
  await pull(store, folder, FROM_TEN, NEVER);
  expect([holds(one), holds(three), hasWatermark()]).toEqual([false, true, false]);
  await pull(store, folder, {}, NEVER);
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
  await pull(store, folder, {}, NEVER);
  expect([holds(one), hasWatermark()]).toEqual([true, false]);
});

test('`pull()` copies nothing by a log with a gap', async () => {
  await store.delete(logKey(2));
  await expect(pull(store, folder, {}, NEVER)).rejects.toThrow('events/v1/_log/: entry 2 is missing');
  expect(holds(one)).toBe(false);
});

test('`pull()` copies the entries of the log again that are missing or damaged', async () => {
  await pull(store, folder, {}, NEVER);
  await rm(join(folder, logKey(1)));
  await writeFile(join(folder, logKey(2)), '{');
  await pull(store, folder, {}, NEVER);
  expect(await findings()).toEqual([]);
});

test('`pull()` does not mix two buckets in a folder', async () => {
  await pull(store, folder, {}, NEVER);
  await clearPublished(store);
  await publishParts(store, [
    makePart(1, NINE, idsIn(NINE, 1)),
    makePart(2, NINE, idsIn(NINE, 1)),
    makePart(3, NINE, idsIn(NINE, 1)),
  ]);
  await expect(pull(store, folder, {}, NEVER)).rejects.toThrow('is not the one of this bucket; name another folder');
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
  await pull(store, folder, {}, NEVER);
  for (const name of foreign) expect(await readFile(join(folder, name), 'utf8')).toBe(name);
});

test('`pull()` reads no file again that nobody has changed since its checksum was found right', async () => {
  await pull(store, folder, {}, NEVER);
  await chmod(pathOf(one), 0o000);
  // As another tool leaves a copy: the same bytes at another time.
  await utimes(pathOf(two), new Date(), new Date());
  expect(await pull(store, folder, {}, NEVER)).toMatchObject({ fetched: 0 });
  expect(await Promise.all([two, three].map(async (part) => (await stat(pathOf(part))).mtime.toISOString()))).toEqual(
    [two, three].map(({ entry }) => entry.committed_at),
  );
  const { noted, reads } = noting();
  await pull(noted, folder, {}, NEVER);
  expect(reads.filter((key) => key.endsWith('.gz'))).toEqual([]);
});

test('`pull()` goes on without a watermark when what is there is none', async () => {
  await store.delete(WATERMARK_KEY);
  await store.create(WATERMARK_KEY, '{');
  expect((await pull(store, folder, {}, NEVER)).watermark).toMatchObject({ ok: false });
  expect([holds(one), hasWatermark()]).toEqual([true, false]);
});

test('`pull()` writes files that nobody else may read', async () => {
  await pull(store, folder, {}, NEVER);
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
  expect(await modeOf(pathOf(one))).toBe('600');
  expect(await modeOf(join(folder, logKey(1)))).toBe('600');
  expect(await modeOf(dirname(pathOf(one)))).toBe('700');
});

test('`pull()` follows no link', async () => {
  const outside = await mkdtemp(join(root, 'outside-'));
  await writeFile(join(outside, 'file'), 'mine');
  await mkdir(dirname(pathOf(one)), { recursive: true });
  await symlink(join(outside, 'file'), pathOf(one));
  await symlink(join(outside, 'file'), `${pathOf(two)}.part`);
  await pull(store, folder, {}, NEVER);
  expect([(await lstat(pathOf(one))).isFile(), holds(two)]).toEqual([true, true]);
  const linked = await mkdtemp(join(root, 'linked-'));
  await symlink(outside, join(linked, 'events'));
  await expect(pull(store, linked, {}, NEVER)).rejects.toThrow(`${join(linked, 'events')} is a link or a file`);
  expect([await readdir(outside), await readFile(join(outside, 'file'), 'utf8')]).toEqual([['file'], 'mine']);
});

test('`pull()` names the process that copies into the folder already', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  const { noted } = noting(async () => {
    begin();
    await goesOn;
  });
  const first = pull(noted, folder, {}, NEVER);
  await begun;
  await expect(pull(store, folder, {}, NEVER)).rejects.toThrow(
    `Cannot work in ${folder}: process ${process.pid} is at work there`,
  );
  goOn();
  await first;
  expect(await pull(store, folder, {}, NEVER)).toMatchObject({ fetched: 0 });
});
