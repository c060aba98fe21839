/** `npm run token -- install` and `revoke`: apply the list to the deployed Worker and to the bucket. */

import { originOf } from '../address.ts';
import { openAccount } from '../cloudflare.ts';
import { readDeployed } from '../deploy/deployed.ts';
import { setSecrets } from '../deploy/set-secrets.ts';
import { isLocal } from '../destination.ts';
import { runGit, tagOfCheckout } from '../git.ts';
import { createObjectStore } from '../object-store.ts';
import { STORE_VARIABLES, storeLocation } from '../store-location.ts';
import { runWrangler } from '../wrangler.ts';
import { readWranglerConfig } from '../wrangler-config.ts';
import { hasList, readList, writeList } from './list-file.ts';
import { revokeDigests } from './revoke.ts';
import { secretsOf, withoutTokens } from './sender-list.ts';
import { waitUntil } from './try-tokens.ts';

/** Installs the list of an environment, then tries API_TOKEN against the service if it is set. */
export async function installList(env: string, signal: AbortSignal): Promise<void> {
  const list = readList(env);
  const config = readWranglerConfig(env);
  console.error(`Looking at what is deployed for ${env}`);
  const ask = await openAccount(runWrangler);
  const deployed = await readDeployed(config.name ?? '', ask);
  const secrets = secretsOf(list, deployed?.newest.secrets ?? []);
  await setSecrets({ env, deployed, checkout: await tagOfCheckout(runGit) }, secrets, runWrangler);
  console.log(`The tokens of tokens.${env}.json are installed`);
  const { API_TOKEN } = process.env;
  if (!API_TOKEN) return console.log('No token was tried: set API_TOKEN to one that must work, and run this again');
  const origin = await originOf(config, ask);
  await waitUntil('accepted', API_TOKEN, origin, signal);
  console.log(`${origin} accepts the token in API_TOKEN`);
}

/**
 * Revokes tokens in the bucket, then removes them from the list of an environment, and tries REVOKED_TOKEN against the
 * service if it is set.
 *
 * @param sender - The holder of the tokens, if known.
 */
export async function revokeTokens(
  env: string,
  digests: readonly string[],
  sender: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const config = readWranglerConfig(env);
  const location = storeLocation();
  const url = new URL(location.url);
  const bucket = config.r2_buckets.find(({ binding }) => binding === 'BUCKET')?.bucket_name;
  if (!process.env.R2_URL || !(isLocal(url) || url.pathname === `/${bucket}`)) {
    throw new Error(`Cannot revoke: R2_URL has to be the bucket ${bucket} of ${env}. Set\n\n${STORE_VARIABLES}`);
  }
  await revokeDigests(createObjectStore(location), digests, sender, signal);
  if (hasList(env)) writeList(env, withoutTokens(readList(env), digests));
  console.log(`${digests.length} token(s) revoked: every version of the service refuses them within 30 seconds`);
  const { REVOKED_TOKEN } = process.env;
  if (!REVOKED_TOKEN) return;
  const origin = isLocal(url) ? url.origin : await originOf(config, await openAccount(runWrangler));
  await waitUntil('refused', REVOKED_TOKEN, origin, signal);
  console.log(`${origin} refuses the token in REVOKED_TOKEN`);
}
