import { expect, test } from 'vitest';
import { outcomeOf } from './commands.ts';

test('`runCommand()` says what to do about what the operating system refuses', async () => {
  const { code, stderr } = await outcomeOf('events', ['sql', 'SELECT 1', import.meta.filename]);
  expect(stderr).toContain(`Cannot use ${import.meta.filename}: not a directory; see that its path is right`);
  expect(code).toBe(1);
});

test('`runCommand()` says so of a file that is open, too', async () => {
  const checkpoint = ['--checkpoint', import.meta.dirname];
  const { code, stderr } = await outcomeOf('guests', ['find', '--email', 'a@example.com', ...checkpoint]);
  expect(stderr).toContain('Cannot read a file: illegal operation on a directory; see that its path is right');
  expect(code).toBe(1);
});
