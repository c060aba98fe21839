import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFolder } from '../../src/cli/folder-lock.ts';

test('`lockFolder()` says what to do where its file cannot be opened', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(await mkdtemp(join(tmpdir(), 'lock-')), (made) => rm(made, { recursive: true }));
  await mkdir(join(folder, '.pull.lock'));
  expect(() => lockFolder(folder, '.pull')).toThrow(
    `Cannot work in ${folder}: nothing can be written there; allow it, or name another folder`,
  );
});
