/** Which checkout may be deployed over which, in a real repository. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Deployed, soleVersion, type Version } from '../../../src/cli/deploy/deployed.ts';
import { refusalToDeploy } from '../../../src/cli/deploy/order.ts';
import { type RunGit, tagOfCheckout } from '../../../src/cli/git.ts';
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

const version = (tag: string | undefined): Version => ({ id: 'deployed', tag, secrets: [] });
const deployed = (tag: string | undefined, newest = version(tag)): Deployed => ({
  shares: [{ ...version(tag), percentage: 100 }],
  newest,
});
const shared = (tag: string | undefined): Deployed => ({
  shares: [10, 90].map((percentage) => ({ ...version(tag), percentage })),
  newest: version(tag),
});

describe('refusalToDeploy()', () => {
  test.each<[string, () => Deployed | undefined, string | undefined]>([
    ['an older commit', () => deployed(commits[0]), undefined],
    ['the same commit', () => deployed(commits[1]), undefined],
    ['the same commit with changes', () => deployed(`${commits[1]}+`), undefined],
    ['a newer commit', () => deployed(commits[2]), 'is newer than this checkout'],
    ['an older commit after a rollback', () => deployed(commits[0], version(commits[2])), undefined],
    ['a commit that is not here', () => deployed('0123456789ab'), 'which is not here: git fetch'],
    ['what has no tag', () => deployed(undefined), undefined],
    ['nothing', () => undefined, undefined],
    ['two versions', () => shared(commits[0]), 'finish that first'],
  ])('over %s', async (_, state, refusal) => {
    const said = await refusalToDeploy(state(), 'staging', true, run);
    if (refusal === undefined) expect(said).toBeUndefined();
    else expect(said).toContain(refusal);
  });

  test('deploys nothing for the first time that would be closed', async () => {
    const said = await refusalToDeploy(undefined, 'staging', false, run);
    expect(said).toContain('it would answer 503: npm run token -- new NAME --env staging');
  });

  test('compares nothing outside a repository', async () => {
    const none: RunGit = async () => ({ code: 128, stdout: '' });
    expect(await refusalToDeploy(deployed(commits[2]), 'staging', true, none)).toBeUndefined();
    expect(await tagOfCheckout(none)).toBeUndefined();
  });
});

test('`soleVersion()` is the one that has all traffic', () => {
  expect(soleVersion(deployed('a'))?.id).toBe('deployed');
  expect(soleVersion(shared('a'))).toBeUndefined();
});

test('`tagOfCheckout()` is the commit, with a plus when what is deployed differs from it', async () => {
  expect(await tagOfCheckout(run)).toBe(commits[1]);
  writeFileSync(join(folder, 'notes.txt'), 'not deployed');
  expect(await tagOfCheckout(run)).toBe(commits[1]);
  writeFileSync(join(folder, 'src/index.ts'), 'changed');
  expect(await tagOfCheckout(run)).toBe(`${commits[1]}+`);
  git('checkout', '--', 'src');
});
