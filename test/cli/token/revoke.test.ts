/** Revoking in a real bucket, and in the service beside it. */

import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalService, startLocal } from '../../../src/cli/local-service.ts';
import { createObjectStore, type ObjectStore } from '../../../src/cli/object-store.ts';
import { digestOf } from '../../../src/cli/token/new-token.ts';
import { revokeDigests } from '../../../src/cli/token/revoke.ts';
import { REVOKED_KEY } from '../../../src/senders/revoked-tokens.ts';
import { bucketOf, run } from '../commands.ts';

const never = new AbortController().signal;
let service: LocalService;
let store: ObjectStore;

beforeAll(async () => {
  service = await startLocal({ stateDir: mkdtempSync(join(tmpdir(), 'revoke-')), show: false });
  store = createObjectStore(service.store);
});

afterAll(() => service.stop());

async function listed(): Promise<readonly { digest: string; sender?: string }[]> {
  const bytes = await store.get(REVOKED_KEY);
  return bytes === undefined ? [] : JSON.parse(bytes.toString()).revoked;
}

test('`revokeDigests()` by several at the same time loses none, and writes none twice', async () => {
  await store.delete(REVOKED_KEY);
  const digests = ['a', 'b', 'c'].map(digestOf);
  await Promise.all(digests.map((digest) => revokeDigests(store, [digest], 'hotel-a', never)));
  await revokeDigests(store, digests, undefined, never);
  expect((await listed()).map(({ digest }) => digest).sort()).toEqual(digests.sort());
});

test('`revokeDigests()` does not write over what it cannot read', async () => {
  await store.delete(REVOKED_KEY);
  await store.create(REVOKED_KEY, '{');
  await expect(revokeDigests(store, [digestOf('a')], undefined, never)).rejects.toThrow('Repair it');
  expect((await store.get(REVOKED_KEY))?.toString()).toBe('{');
});

test('`token -- revoke` with a leaked token, and nothing else known of it, has the service refuse it', async () => {
  await store.delete(REVOKED_KEY);
  const folder = mkdtempSync(join(tmpdir(), 'token-'));
  const env = { ...bucketOf(service), REVOKED_TOKEN: service.token };
  const { stdout } = await run('token', ['revoke'], { cwd: folder, env });
  expect(stdout).toContain(`${service.origin} refuses the token in REVOKED_TOKEN`);
  expect(await listed()).toMatchObject([{ digest: digestOf(service.token) }]);
  // A list that begins empty would take all senders away when it is installed.
  expect(existsSync(join(folder, 'tokens.production.json'))).toBe(false);
});
