/** Deployments only go forward: an older checkout never replaces a newer one. */

import type { RunGit } from '../git.ts';
import { type Deployed, soleVersion } from './deployed.ts';

/**
 * Says why this checkout must not be deployed; undefined if it may be.
 *
 * @param hasSenders - Whether there is a list of senders, without which a first deployment would refuse everything.
 */
export async function refusalToDeploy(
  deployed: Deployed | undefined,
  env: string,
  hasSenders: boolean,
  git: RunGit,
): Promise<string | undefined> {
  if (deployed === undefined) {
    return hasSenders
      ? undefined
      : `Cannot deploy ${env} for the first time without a sender, it would answer 503: npm run token -- new NAME --env ${env}`;
  }
  const version = soleVersion(deployed);
  if (version !== undefined) return refusalAfter(version.tag?.replace('+', ''), env, git);
  const shares = deployed.shares.map(({ id, percentage }) => `${id} (${percentage} %)`).join(' and ');
  return `Cannot deploy while ${shares} share the traffic: finish that first, with npx wrangler versions deploy --env ${env}`;
}

async function refusalAfter(commit: string | undefined, env: string, git: RunGit): Promise<string | undefined> {
  // A version without a tag cannot be compared, nor can a checkout outside a repository.
  if (commit === undefined || (await git(['rev-parse', 'HEAD'])).code !== 0) return undefined;
  if ((await git(['cat-file', '-e', `${commit}^{commit}`])).code !== 0) {
    return `Cannot tell whether this checkout is newer than what is deployed, commit ${commit}, which is not here: git fetch. If it is gone for good: npx wrangler deploy --minify --env ${env}`;
  }
  const isOlder = (await git(['merge-base', '--is-ancestor', 'HEAD', commit])).code === 0;
  const isSame = (await git(['merge-base', '--is-ancestor', commit, 'HEAD'])).code === 0;
  if (!isOlder || isSame) return undefined;
  return `Cannot deploy: commit ${commit}, which is deployed, is newer than this checkout. To go back, see “Rolling back” in docs/operating.md`;
}
