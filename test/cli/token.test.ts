/** The command line, as it is typed. */

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { outcomeOf } from './commands.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'token-'));
});

const R2_KEYS = { R2_ACCESS_KEY_ID: 'a', R2_SECRET_ACCESS_KEY: 'b' };

const token = (...args: string[]) => outcomeOf('token', args, { cwd: folder });

const listed = (env: string) => readFileSync(join(folder, `tokens.${env}.json`), 'utf8');

test('new and rotate print the token once and the commands that install it', async () => {
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
});

test.each([
  ['no bucket', {}],
  [
    'the bucket of another environment',
    { ...R2_KEYS, R2_URL: 'https://0.r2.cloudflarestorage.com/reservation-events-production' },
  ],
])('revoke with %s revokes nothing and leaves the list', async (_, variables) => {
  await token('new', 'hotel-a', '--env', 'staging');
  const before = listed('staging');
  const { code, stderr } = await outcomeOf('token', ['revoke', 'hotel-a', '--env', 'staging'], {
    cwd: folder,
    env: variables,
  });
  expect(code).toBe(1);
  expect(stderr).toContain('Cannot revoke: R2_URL has to be the bucket reservation-events-staging of staging');
  expect(listed('staging')).toBe(before);
});

test.each([
  [['rotate', 'hotel-a'], 'Cannot find the sender hotel-a; there are: none yet'],
  [['make', 'hotel-a'], 'Cannot tell what to do: name new, rotate, install, revoke or local\n\nUsage: npm run token'],
  [[], 'Cannot tell what to do: name new,'],
  [['new', 'hotel-a', '--env', 'test'], 'give one of staging, production'],
  [['rotate', 'default'], 'API_TOKEN is revoked by its digest'],
  [['revoke'], 'give a name or a digest, or set REVOKED_TOKEN'],
  [['new', 'default'], 'which is the sender of API_TOKEN'],
  [['new', 'a', '--operator', '--reader'], 'Cannot give two roles to one token'],
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
  writeFileSync(join(folder, 'tokens.production.json'), '{"sender": {}}');
  const { code, stderr } = await token('new', 'hotel-a');
  expect(code).toBe(1);
  expect(stderr).toContain('tokens.production.json: senders');
  expect(listed('production')).toBe('{"sender": {}}');
});
