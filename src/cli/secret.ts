/** `npm run secret`: sets a secret of the deployed service. */

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { MIN_PSEUDONYM_KEY } from '../guests/settings.ts';
import { isStrong, WEAK_TOKEN } from '../senders/sender.ts';
import { openAccount } from './cloudflare.ts';
import { runCommand } from './command.ts';
import { readDeployed } from './deploy/deployed.ts';
import { setSecrets } from './deploy/set-secrets.ts';
import { ENV_OR_PRODUCTION } from './environments.ts';
import { runGit, tagOfCheckout } from './git.ts';
import { describeOptions, readCommandLine, UsageError } from './usage.ts';
import { runWrangler } from './wrangler.ts';
import { readWranglerConfig } from './wrangler-config.ts';

/** Says what is wrong with the value of a secret; undefined if it can be used. */
const FAULTS: Readonly<Record<string, (value: string) => string | undefined>> = {
  ALERT_WEBHOOK: (value) => (URL.parse(value)?.protocol === 'https:' ? undefined : 'is not an https address'),
  PSEUDONYM_KEY: (value) =>
    value.length >= MIN_PSEUDONYM_KEY ? undefined : `has fewer than ${MIN_PSEUDONYM_KEY} characters`,
  API_TOKEN: (value) => (isStrong(value) ? undefined : WEAK_TOKEN),
  API_TOKEN_NEXT: (value) => (isStrong(value) ? undefined : WEAK_TOKEN),
};

const OPTIONS = { env: ENV_OR_PRODUCTION };

const USAGE = `Usage: npm run secret -- set NAME [--env NAME]

Sets a secret of the service: ${Object.keys(FAULTS).join(', ')}. The value comes from standard
input, or is asked for and not shown. Named senders (API_TOKENS) are installed with npm run token.

${describeOptions(OPTIONS)}

  openssl rand -hex 32 | npm run secret -- set PSEUDONYM_KEY --env staging`;

await runCommand(USAGE, async (args) => {
  const {
    values: { env },
    words,
  } = readCommandLine(args, OPTIONS, true);
  const [command, name = '', ...rest] = words;
  const faultOf = Object.hasOwn(FAULTS, name) ? FAULTS[name] : undefined;
  if (command !== 'set' || rest.length > 0) throw new UsageError('Cannot tell what to do: set NAME sets a secret');
  if (faultOf === undefined)
    throw new UsageError(
      `Cannot set ${name || 'a secret without its name'}: give one of ${Object.keys(FAULTS).join(', ')}`,
    );
  const value = (await readValue(name)).trim();
  const fault = faultOf(value);
  if (fault !== undefined) throw new Error(`Cannot set ${name}: the value ${fault}`);
  const deployed = await readDeployed(readWranglerConfig(env).name ?? '', await openAccount(runWrangler));
  await setSecrets({ env, deployed, checkout: await tagOfCheckout(runGit) }, { [name]: value }, runWrangler);
  console.log(`${name} is set in ${env}`);
});

async function readValue(name: string): Promise<string> {
  if (!process.stdin.isTTY) return text(process.stdin);
  process.stdout.write(`${name} (not shown): `);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const value = await terminal.question('');
  terminal.close();
  process.stdout.write('\n');
  return value;
}
