/** `npm run deploy`: deploys this checkout and its list of tokens as one version with all traffic. */

import { appendFileSync } from 'node:fs';
import { adviceOnAddress } from './address.ts';
import { openAccount } from './cloudflare.ts';
import { runCommand } from './command.ts';
import { deployCheckout } from './deploy/deploy-checkout.ts';
import { readDeployed, soleVersion } from './deploy/deployed.ts';
import { refusalToDeploy } from './deploy/order.ts';
import { ENV_OR_PRODUCTION } from './environments.ts';
import { runGit, tagOfCheckout } from './git.ts';
import { wantedBy } from './provision/wanted.ts';
import { hasList, readList } from './token/list-file.ts';
import { secretsOf } from './token/sender-list.ts';
import { describeOptions, readCommandLine } from './usage.ts';
import { runWrangler } from './wrangler.ts';
import { readWranglerConfig } from './wrangler-config.ts';

const OPTIONS = { env: ENV_OR_PRODUCTION };

const USAGE = `Usage: npm run deploy -- [--env NAME]

Deploys this checkout together with the tokens of tokens.ENV.json. It goes forward only: what was deployed from a
newer commit is left alone. To go back, see “Rolling back” in docs/operating.md.

In a workflow of GitHub it sets the output "previous": the version that had all traffic before.

${describeOptions(OPTIONS)}`;

await runCommand(USAGE, async (args) => {
  const { env } = readCommandLine(args, OPTIONS).values;
  const config = readWranglerConfig(env);
  const { worker } = wantedBy(config);
  console.log(`Looking at what is deployed for ${env}`);
  const deployed = await readDeployed(worker, await openAccount(runWrangler));
  const list = readList(env);
  const secrets = hasList(env) ? secretsOf(list, deployed?.newest.secrets ?? []) : {};
  const tag = await tagOfCheckout(runGit);
  const refusal = await refusalToDeploy(deployed, env, Object.keys(list.senders).length > 0, runGit);
  if (refusal !== undefined) throw new Error(refusal);
  // The version to roll back to if this one turns out to be bad.
  const previous = deployed && soleVersion(deployed)?.id;
  const { GITHUB_OUTPUT } = process.env;
  if (GITHUB_OUTPUT) appendFileSync(GITHUB_OUTPUT, `previous=${previous ?? ''}\n`);
  console.log(`Deploying ${tag ?? 'this folder'} as ${worker}`);
  console.log(await deployCheckout(env, secrets, tag, runWrangler));
  const advice = adviceOnAddress(env, config);
  if (advice !== undefined) console.error(`\n${advice}`);
  if (previous !== undefined) console.log(`\nBefore it, version ${previous} had all traffic`);
});
