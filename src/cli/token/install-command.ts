/** `npm run token -- install`: the tokens of the list into what is deployed, and a look whether they work. */

import { setTimeout as sleep } from 'node:timers/promises';
import { unstable_readConfig } from 'wrangler';
import { originOf } from '../address.ts';
import { agrees } from '../agree.ts';
import { openAccount } from '../cloudflare.ts';
import { inCheckout } from '../deploy/in-checkout.ts';
import { runGit, tagOfCheckout } from '../git.ts';
import { secretsOf } from '../sender-list.ts';
import { readState } from '../worker-state.ts';
import { runWrangler } from '../wrangler.ts';
import { install } from './install.ts';
import { readList } from './list-file.ts';
import { waitUntil } from './try-tokens.ts';

/**
 * Installs the list of an environment and asks the service for API_TOKEN and REVOKED_TOKEN of the environment.
 *
 * @param yes - Agrees to everything beforehand.
 */
export async function installList(env: string, yes: boolean): Promise<void> {
  const secrets = secretsOf(readList(env));
  const config = unstable_readConfig({ env }, { hideWarnings: true });
  console.error(`Looking at what is deployed for ${env}`);
  const ask = await openAccount(runWrangler);
  const state = await readState(config.name ?? '', ask);
  const target = { env, state, checkout: await tagOfCheckout(runGit) };
  if (!(await install(target, secrets, runWrangler, async (question) => yes || agrees(question), inCheckout))) return;
  console.log(`The tokens of tokens.${env}.json are installed`);
  await tryBoth(await originOf(config, ask));
}

async function tryBoth(origin: string): Promise<void> {
  const { API_TOKEN: accepted, REVOKED_TOKEN: refused } = process.env;
  if (accepted) {
    await waitUntil('accepted', accepted, origin, sleep);
    console.log(`${origin} accepts the token in API_TOKEN`);
  }
  if (refused) {
    await waitUntil('refused', refused, origin, sleep);
    console.log(`${origin} refuses the token in REVOKED_TOKEN`);
  }
  if (!accepted && !refused) {
    console.log(
      'None was tried: set API_TOKEN to one that must work, REVOKED_TOKEN to one that must not, and run it again',
    );
  }
}
