/** The rehearsal as somebody types it, against a service on this machine. */

import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createFolderStore } from '../../src/cli/folder-store.ts';
import { openRehearsedAccount } from '../../src/cli/rehearse/account.ts';
import { ASSUMPTIONS } from '../../src/cli/rehearse/assumptions.ts';
import { emptyAccount, environmentFor, serve } from './cloudflare.ts';
import { outcomeOf } from './commands.ts';

test('everything that can be asked of this machine is so, and the table says what cannot', {
  timeout: 300_000,
}, async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'rehearse-')), 'assumptions.md');
  const { code, stdout, stderr } = await outcomeOf('rehearse', ['--local', '--out', file]);
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('**'));
  const answers = rows.slice(-ASSUMPTIONS.length).map((row) => /\*\*(\w+)\*\* \| (.*) \|$/.exec(row)?.slice(1));
  const expected = ASSUMPTIONS.map(({ needsAccount }) =>
    needsAccount ? ['unknown', 'only an account can tell'] : ['yes', expect.any(String)],
  );
  expect(answers, stderr).toEqual(expected);
  expect(stdout).toContain(' 0 no, ');
  expect(code).toBe(0);
});

test('the page in docs/ has every assumption', () => {
  const page = readFileSync('docs/assumptions.md', 'utf8');
  for (const { says } of ASSUMPTIONS) expect(page).toContain(`| ${says} | **`);
});

test.each([
  [[], 'give --env or --local'],
  [['--local', '--env', 'staging'], 'give --env or --local'],
  [['--env', 'nowhere'], 'wrangler.toml has no [env.nowhere]'],
])('%j says what is wrong', async (args, message) => {
  const { code, stderr } = await outcomeOf('rehearse', args);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});

describe('openRehearsedAccount()', () => {
  const before = { ...process.env };

  afterEach(() => {
    process.env = { ...before };
  });

  test.each(['a queue', 'a bucket', 'a Worker'])('touches no environment in which there is %s', async (what) => {
    const account = emptyAccount();
    const { url, server } = await serve(account);
    Object.assign(process.env, environmentFor(url));
    const name = 'reservation-events-staging';
    if (what === 'a queue') {
      account.queues.push({
        queue_id: '0',
        queue_name: name,
        settings: { message_retention_period: 60 },
        consumers: [],
      });
    } else if (what === 'a bucket') account.buckets.set(`/${name}`, []);
    else account.worker = { versions: [{ id: 'a', code: 'a', secrets: {} }], deployed: { a: 100 } };
    await expect(openRehearsedAccount('staging')).rejects.toThrow(`${name} is there already`);
    expect(account.changes).toEqual([]);
    server.close();
  });

  test('goes with the real wrangler from provisioning to removing everything that it has made', {
    timeout: 300_000,
  }, async () => {
    const account = emptyAccount();
    const { url, server } = await serve(account);
    Object.assign(process.env, environmentFor(url));
    const rehearsed = await openRehearsedAccount('staging');
    expect([await rehearsed.provision(), await rehearsed.provision()]).toEqual([11, 0]);

    await rehearsed.deploy({ API_TOKENS: '{}' });
    await rehearsed.setSecrets({ PSEUDONYM_KEY: 'key' });
    const withKey = await rehearsed.deployed();
    expect(withKey?.shares).toEqual([expect.objectContaining({ secrets: ['API_TOKENS', 'PSEUDONYM_KEY'] })]);
    await rehearsed.deploy({});
    await rehearsed.rollBack(withKey?.newest.id ?? '');
    expect((await rehearsed.deployed())?.shares[0]?.id).toBe(withKey?.newest.id);
    expect(account.queues.map(({ consumers }) => consumers.length)).toEqual([1, 1, 1, 1, 1]);

    const store = createFolderStore(mkdtempSync(join(tmpdir(), 'rehearse-')));
    expect(await rehearsed.remove({ list: store.list, delete: async () => {} })).toEqual([]);
    expect([account.queues, account.buckets.size, account.worker]).toEqual([[], 0, undefined]);
    server.close();
  });
});
