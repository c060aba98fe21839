/** Which checkout may be deployed over which, in a real repository. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { refusalToDeploy, versionToReturnTo } from '../../../src/cli/deploy/order.ts';
import { type RunGit, tagOfCheckout } from '../../../src/cli/git.ts';
import type { Version, WorkerState } from '../../../src/cli/worker-state.ts';
import { makeRepository } from './repository.ts';

const { folder, git, run, commit } = makeRepository();
const commits: string[] = [];

beforeAll(() => {
  mkdirSync(join(folder, 'src'));
  for (const text of ['one', 'two', 'three']) {
    writeFileSync(join(folder, 'src/index.ts'), text);
    commits.push(commit(text));
  }
  git('checkout', '--detach', commits[1] ?? '');
});

const version = (tag: string | undefined): Version => ({ id: 'deployed', tag, code: 'a' });
const current = (tag: string | undefined): WorkerState => ({ kind: 'current', deployed: version(tag) });

describe('refusalToDeploy()', () => {
  test.each<[string, () => WorkerState, string | undefined]>([
    ['an older commit', () => current(commits[0]), undefined],
    ['the same commit', () => current(commits[1]), undefined],
    ['the same commit with changes', () => current(`${commits[1]}+`), undefined],
    ['a newer commit', () => current(commits[2]), 'is newer than this checkout'],
    [
      'an older commit after a rollback',
      () => ({ kind: 'behind', deployed: version(commits[0]), latest: version(commits[2]) }),
      undefined,
    ],
    ['a commit that is not here', () => current('0123456789ab'), 'which is not here: git fetch'],
    ['what has no tag', () => current(undefined), undefined],
    ['nothing', () => ({ kind: 'absent' }), undefined],
    ['two versions', () => ({ kind: 'shared', shares: [], latest: version(commits[0]) }), 'finish that first'],
  ])('over %s', async (_, state, refusal) => {
    const said = await refusalToDeploy(state(), 'staging', true, run);
    if (refusal === undefined) expect(said).toBeUndefined();
    else expect(said).toContain(refusal);
  });

  test('deploys nothing for the first time that would be closed', async () => {
    const said = await refusalToDeploy({ kind: 'absent' }, 'staging', false, run);
    expect(said).toContain('it would answer 503: npm run token -- new NAME --env staging');
  });

  test('compares nothing outside a repository', async () => {
    const none: RunGit = async () => ({ code: 128, stdout: '' });
    expect(await refusalToDeploy(current(commits[2]), 'staging', true, none)).toBeUndefined();
    expect(await tagOfCheckout(none)).toBeUndefined();
  });
});

test('`versionToReturnTo()` is the one that has all traffic', () => {
  expect(versionToReturnTo(current('a'))).toBe('deployed');
  expect(versionToReturnTo({ kind: 'absent' })).toBeUndefined();
});

test('`tagOfCheckout()` is the commit, with a plus when what is deployed differs from it', async () => {
  expect(await tagOfCheckout(run)).toBe(commits[1]);
  writeFileSync(join(folder, 'notes.txt'), 'not deployed');
  expect(await tagOfCheckout(run)).toBe(commits[1]);
  writeFileSync(join(folder, 'src/index.ts'), 'changed');
  expect(await tagOfCheckout(run)).toBe(`${commits[1]}+`);
  git('checkout', '--', 'src');
});
