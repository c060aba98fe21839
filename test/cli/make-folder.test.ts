import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../src/cli/make-folder.ts';
import { outcomeOf } from './commands.ts';

test('`makeFolder()` creates a folder and those above it for their owner alone, once', async () => {
  await using stack = new AsyncDisposableStack();
  const top = stack.adopt(await mkdtemp(join(tmpdir(), 'folder-')), (made) => rm(made, { recursive: true }));
  const folder = join(top, 'a', 'b');
  makeFolder(folder);
  makeFolder(folder);
  for (const each of [join(top, 'a'), folder]) expect((await stat(each)).mode & 0o777).toBe(0o700);
  const file = join(folder, 'file');
  await writeFile(file, '');
  expect(() => makeFolder(file)).toThrow(/EEXIST/);
  expect(() => makeFolder(join(file, 'c'))).toThrow(/ENOTDIR/);
});

// Elsewhere there is no folder in which nothing can be created although it may be written to.
test.runIf(process.platform === 'linux')('`makeFolder()` returns where the system has no folders to give', async () => {
  expect(() => makeFolder('/proc/a/b')).toThrow(/ENOENT.*'\/proc\/a'/);
  const { code, stderr } = await outcomeOf('events', ['pull', '/proc/a']);
  expect(stderr).toContain('Cannot use /proc/a: no such file or directory; see that its path is right');
  expect(code).toBe(1);
});
