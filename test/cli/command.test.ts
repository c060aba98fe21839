import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outcomeOf } from './commands.ts';

test('`runCommand()` says what to do about what the operating system refuses', async () => {
  const { code, stderr } = await outcomeOf('events', ['sql', 'SELECT 1', import.meta.filename]);
  expect(stderr).toContain(`Cannot use ${import.meta.filename}: not a directory; see that its path is right`);
  expect(code).toBe(1);
});

test('`runCommand()` says so of a file that is open, too', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'command-'));
  mkdirSync(join(cwd, 'tokens.production.json'));
  const { code, stderr } = await outcomeOf('token', ['new', 'hotel'], { cwd });
  expect(stderr).toContain('Cannot read a file: illegal operation on a directory; see that its path is right');
  expect(code).toBe(1);
});
