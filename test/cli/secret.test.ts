/** The command as it is typed, for an account that a stand-in holds. */

import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { emptyAccount, environmentFor, serve } from './cloudflare.ts';

async function secret(input: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [resolve('src/cli/secret.ts'), ...args], { env: { ...process.env, ...env } });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr };
}

test.each([
  ['', ['set', 'API_TOKENS'], 'Cannot set API_TOKENS: give one of ALERT_WEBHOOK'],
  ['', ['set'], 'Cannot set a secret without its name: give one of ALERT_WEBHOOK'],
  ['', ['get', 'API_TOKEN'], 'set NAME sets a secret'],
  ['short\n', ['set', 'PSEUDONYM_KEY'], 'the value has fewer than 32 characters'],
  ['http://hooks.example\n', ['set', 'ALERT_WEBHOOK'], 'the value is not an https address'],
  [`sha-256:${'0'.repeat(64)}`, ['set', 'API_TOKEN'], 'the value is neither a token of at least 32 characters'],
])('%j with %j says what is wrong', async (input, args, message) => {
  expect((await secret(input, args)).stderr).toContain(message);
});

test('says what comes first where nothing is deployed, and makes no empty Worker', async () => {
  const account = emptyAccount();
  const { url, server } = await serve(account);
  const { stderr } = await secret('k'.repeat(64), ['set', 'PSEUDONYM_KEY', '--env', 'staging'], environmentFor(url));
  server.close();
  expect(stderr).toContain('Cannot set PSEUDONYM_KEY: nothing is deployed for staging yet');
  expect(stderr).not.toContain('kkkk');
  expect(account.changes).toEqual([]);
});
