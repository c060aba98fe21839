/** Sets secrets of a deployed Worker for all its traffic, and keeps the tag of the version. */

import { outputOf, type RunWrangler } from '../wrangler.ts';
import { deployCheckout, type Secrets } from './deploy-checkout.ts';
import { type Deployed, soleVersion, type Version } from './deployed.ts';

/** Where secrets are set, and from which checkout. */
export interface Target {
  readonly env: string;
  readonly deployed: Deployed | undefined;
  /** See {@link tagOfCheckout}. */
  readonly checkout: string | undefined;
}

/**
 * Sets secrets; others stay as they are. `wrangler secret put` is no option: Cloudflare refuses it unless the newest
 * version has all traffic (code 10215), and it drops the tag. `versions secret bulk` copies the newest version, which
 * after a rollback is the bad one; then the deployed code is deployed again instead.
 *
 * @throws When the secrets cannot be set, saying why and what to do.
 */
export async function setSecrets(target: Target, secrets: Secrets, run: RunWrangler): Promise<void> {
  const { env, deployed, checkout } = target;
  const names = Object.keys(secrets).join(', ');
  if (deployed === undefined) {
    throw new Error(
      `Cannot set ${names}: nothing is deployed for ${env} yet; npm run deploy -- --env ${env} comes first`,
    );
  }
  const { newest } = deployed;
  const version = soleVersion(deployed);
  if (version === undefined) throw new Error(`Cannot set ${names}: ${shared(deployed, env)}`);
  if (version.id === newest.id || isSameCommit(version.tag, newest.tag)) return makeVersion(newest, env, secrets, run);
  if (!isSameCommit(version.tag, checkout)) throw new Error(`Cannot set ${names}: ${behind(version, newest, env)}`);
  await deployCheckout(env, secrets, checkout, run);
}

/** Whether two tags name the same commit without local changes, so that the code and the static pages are the same. */
function isSameCommit(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other && !one.endsWith('+');
}

async function makeVersion({ tag }: Version, env: string, secrets: Secrets, run: RunWrangler): Promise<void> {
  const tagged = tag === undefined ? [] : ['--tag', tag];
  const bulk = await run(['versions', 'secret', 'bulk', '--env', env, ...tagged], JSON.stringify(secrets));
  const made = outputOf(bulk, 'set the secrets');
  const id = /Created version ([\da-f-]{36})/.exec(made)?.[1];
  if (id === undefined) throw new Error(`Cannot tell which version was made; wrangler says\n\n${made}`);
  outputOf(await run(['versions', 'deploy', `${id}@100%`, '--env', env, '--yes']), 'set the secrets');
}

function shared({ shares }: Deployed, env: string): string {
  const choices = shares.map(({ id, percentage }) => `  ${giveAllTraffic(id, env)}    (it has ${percentage} % now)`);
  return `a secret belongs to a version, and ${shares.length} versions share the traffic. Give one of them all of it, then try again:

${choices.join('\n')}

${REVOKE}`;
}

function behind({ id, tag }: Version, newest: Version, env: string): string {
  const commit = tag?.replace('+', '') ?? 'the commit it was deployed from';
  return `version ${id} has the traffic, and Cloudflare puts secrets into the newest one, ${newest.id}, which has other code:
somebody rolled back, or only uploaded it. Go forward: git revert what was bad, npm run deploy -- --env ${env}, then try again.
Or try again from a checkout of ${commit}, which deploys the same code with the secrets. To run the newest version instead:

  ${giveAllTraffic(newest.id, env)}

${REVOKE}`;
}

const REVOKE = 'Revoking a token needs none of this: npm run token -- revoke';

function giveAllTraffic(id: string, env: string): string {
  return `npx wrangler versions deploy ${id}@100% --env ${env} --yes`;
}
