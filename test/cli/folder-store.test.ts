import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFolderStore, fileOf } from '../../src/cli/folder-store.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'events-test-'));
  for (const key of ['a/2.txt', 'a/1.txt', 'a/b/3.txt', 'ab/4.txt']) {
    await mkdir(dirname(join(folder, key)), { recursive: true });
    await writeFile(join(folder, key), key);
  }
});

afterAll(() => rm(folder, { recursive: true }));

test.each(['../x', 'a/../../x', 'a/..', '..', './x', '/etc/passwd', 'a//b', 'a\\..\\b', 'C:x', 'a\0b', ''])(
  '`fileOf()` refuses %j',
  (key) => {
    expect(() => fileOf('/files', key)).toThrow('the key is not a path below a folder');
  },
);

test('`fileOf()` takes dots within a name', () => {
  expect(fileOf('files', 'events/v1/..a/b..c/...')).toBe(join('files', 'events/v1/..a/b..c/...'));
});

test.each([
  ['a/', undefined, ['a/1.txt', 'a/2.txt', 'a/b/3.txt']],
  ['a/', 'a/1.txt', ['a/2.txt', 'a/b/3.txt']],
  ['a', undefined, ['a/1.txt', 'a/2.txt', 'a/b/3.txt', 'ab/4.txt']],
  ['nothing/', undefined, []],
])('`createFolderStore()` lists %j after %j as a bucket does', async (prefix, after, expected) => {
  const listed = await Array.fromAsync(createFolderStore(folder).list(prefix, after));
  expect(listed.map(({ key }) => key)).toEqual(expected);
  for (const { key, bytes } of listed) expect(bytes).toBe(key.length);
});

test('`createFolderStore()` has no bytes of what is not there', async () => {
  expect(Buffer.from((await createFolderStore(folder).get('a/1.txt')) ?? []).toString()).toBe('a/1.txt');
  expect(await createFolderStore(folder).get('a/9.txt')).toBeUndefined();
});
