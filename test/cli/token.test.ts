/** The command line, as it is typed. */

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';

const COMMAND = resolve('src/cli/token.ts');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'token-'));
});

function token(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) =>
    execFile(process.execPath, [COMMAND, ...args], { cwd: folder }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : 1, stdout, stderr }),
    ),
  );
}

const listed = (env: string) => readFileSync(join(folder, `tokens.${env}.json`), 'utf8');

test('new, rotate and revoke print the token once and the commands that install it', async () => {
  const made = await token('new', 'hotel-a', '--integration', 'int-*', '--env', 'staging');
  const secret = /^ {2}([\w-]{43})$/m.exec(made.stdout)?.[1] ?? '';
  expect(secret).not.toBe('');
  expect(made.stdout).toContain('npm run token -- local --env staging');
  const install = 'npm run token -- install --env staging';
  expect(made.stdout).toContain(`API_TOKEN=… ${install}`);
  expect(listed('staging')).not.toContain(secret);

  const rotated = await token('rotate', 'hotel-a', '--env', 'staging');
  expect(rotated.stdout).toContain(install);
  expect(rotated.stdout).toContain('npm run token -- revoke hotel-a --old --env staging');
  expect(JSON.parse(listed('staging')).senders['hotel-a'].tokens).toHaveLength(2);

  expect((await token('revoke', 'hotel-a', '--old', '--env', 'staging')).stdout).toContain(
    `REVOKED_TOKEN=… ${install}`,
  );
  expect(JSON.parse(listed('staging')).senders['hotel-a'].tokens).toHaveLength(1);
  expect((await token('revoke', 'hotel-a', '--env', 'staging')).stdout).toContain(install);
  expect(JSON.parse((await token('secrets', '--env', 'staging')).stdout)).toEqual({ API_TOKENS: '{}' });
});

test('default is the sender of API_TOKEN, also when its token was set by hand', async () => {
  const revoked = await token('revoke', 'default');
  expect(revoked.stdout).toContain('REVOKED_TOKEN=… npm run token -- install --env production');
  const made = await token('new', 'default');
  expect(made.stdout).toContain('takes away what was set by hand as API_TOKEN and API_TOKEN_NEXT');
  const { API_TOKEN, API_TOKENS } = JSON.parse((await token('secrets')).stdout);
  expect(API_TOKEN).toMatch(/^sha256:[\da-f]{64}$/);
  expect(API_TOKENS).toBe('{}');
});

test.each([
  [['rotate', 'hotel-a'], 'Cannot find the sender hotel-a; there are: none yet'],
  [['make', 'hotel-a'], 'Usage: npm run token'],
  [['new', 'hotel-a', '--env', 'test'], 'give one of staging, production'],
  [['rotate', 'default'], 'new default replaces it, and revoke default takes it away'],
  [['new', 'a', '--operator', '--reader'], 'Cannot give two roles to one token'],
  [['new', 'default', '--operator'], 'Cannot limit default'],
  [['install'], 'Cannot install tokens.production.json: there is none'],
  [['new', 'hotel', 'a'], 'give one name at a time'],
  [['new'], 'give its name'],
  [['new', 'a b'], 'has a name that is not'],
  [['new', 'constructor'], 'Cannot add constructor: it is named as one of'],
  [['new', 'hotel-a', '--integrations', 'x'], 'Usage: npm run token'],
])('%j says what is wrong', async (args, message) => {
  const { code, stderr } = await token(...args);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});

test('a list that was spoilt by hand is not overwritten', async () => {
  writeFileSync(join(folder, 'tokens.production.json'), '{"secrets": 1}');
  const { code, stderr } = await token('new', 'hotel-a');
  expect(code).toBe(1);
  expect(stderr).toContain('tokens.production.json: senders');
  expect(listed('production')).toBe('{"secrets": 1}');
});
