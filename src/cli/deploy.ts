/** `npm run deploy`: this checkout and its list of tokens, as one version with all traffic. */

import { appendFileSync } from 'node:fs';
import { unstable_readConfig } from 'wrangler';
import { openAccount } from './cloudflare.ts';
import { runCommand } from './command.ts';
import { deployHere } from './deploy/deploy-here.ts';
import { refusalToDeploy, versionToReturnTo } from './deploy/order.ts';
import { toEnvironment } from './environments.ts';
import { runGit, tagOfCheckout } from './git.ts';
import { secretsOf } from './sender-list.ts';
import { hasList, readList } from './token/list-file.ts';
import { parseCommandLine } from './usage.ts';
import { readState } from './worker-state.ts';
import { runWrangler } from './wrangler.ts';

const USAGE = `Usage: npm run deploy -- [--env NAME]

Deploys this checkout together with the tokens of tokens.ENV.json; without --env to production. It goes forward only: what
was deployed from a newer commit is left alone. To go back, see “Rolling back” in docs/operating.md.

In a workflow of GitHub it sets the output "previous": the version that had all traffic before.`;

const OPTIONS = { env: { type: 'string', default: 'production' } } as const;

await runCommand(USAGE, async (args) => {
  const env = toEnvironment(parseCommandLine({ args, options: OPTIONS }).values.env);
  const { name: worker = '' } = unstable_readConfig({ env }, { hideWarnings: true });
  const secrets = hasList(env) ? secretsOf(readList(env)) : {};
  console.log(`Looking at what is deployed for ${env}`);
  const state = await readState(worker, await openAccount(runWrangler));
  const tag = await tagOfCheckout(runGit);
  const refusal = await refusalToDeploy(state, env, Object.keys(secrets).length > 0, runGit);
  if (refusal !== undefined) throw new Error(refusal);
  const previous = versionToReturnTo(state);
  const { GITHUB_OUTPUT } = process.env;
  if (GITHUB_OUTPUT) appendFileSync(GITHUB_OUTPUT, `previous=${previous ?? ''}\n`);
  console.log(`Deploying ${tag ?? 'this folder'} as ${worker}`);
  const { code, stdout, stderr } = await deployHere(env, secrets, tag, runWrangler);
  if (code !== 0) throw new Error(`Cannot deploy: wrangler says\n\n${stderr.trim() || stdout.trim()}`);
  console.log(stdout.trim());
  if (previous !== undefined) console.log(`\nBefore it, version ${previous} had all traffic`);
});
