import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeFolder } from '../../src/site/write-folder.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-'));
});

afterEach(() => rm(folder, { recursive: true }));

test('`writeFolder()` leaves these files and no others', async () => {
  await writeFolder(
    folder,
    new Map([
      ['old.txt', '1'],
      ['in/deep.txt', '2'],
    ]),
  );
  await writeFolder(
    folder,
    new Map<string, string | Uint8Array>([
      ['in/deep.txt', '3'],
      ['new.bin', new Uint8Array([7])],
    ]),
  );
  expect((await readdir(folder, { recursive: true })).toSorted()).toEqual(['in', 'in/deep.txt', 'new.bin']);
  expect(await readFile(join(folder, 'in/deep.txt'), 'utf8')).toBe('3');
});

test('`writeFolder()` does not touch a file that stays as it is', async () => {
  const files = new Map([['same.txt', 'same']]);
  await writeFolder(folder, files);
  const { ino } = await stat(join(folder, 'same.txt'));
  await writeFolder(folder, files);
  expect((await stat(join(folder, 'same.txt'))).ino).toBe(ino);
});

test('`writeFolder()` may run several times at once', async () => {
  const target = join(folder, 'site');
  const script = `
    import { writeFolder } from ${JSON.stringify(join(import.meta.dirname, '../../src/site/write-folder.ts'))};
    await writeFolder(${JSON.stringify(target)}, new Map(Array.from({ length: 50 }, (_, n) => [n + '/file.txt', 'x'.repeat(n)])));`;
  const run = promisify(execFile);
  await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '--eval', script])));
  expect((await readdir(target, { recursive: true })).length).toBe(100);
  expect(await readdir(folder)).toEqual(['site']);
});
