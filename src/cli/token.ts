/** `npm run token`: creates tokens for senders, readers and operators, installs and revokes them. */

import { type Sender, TOKEN_DIGEST } from '../senders/sender.ts';
import { runCommand } from './command.ts';
import { ENV_OR_PRODUCTION } from './environments.ts';
import { quoteJson, SECRETS_FILE, setLocalSecret } from './local-secrets.ts';
import { STORE_VARIABLES } from './store-location.ts';
import { hasList, readList, writeList } from './token/list-file.ts';
import { digestOf } from './token/new-token.ts';
import * as list from './token/sender-list.ts';
import { type CommandLine, describeOptions, readCommandLine, UsageError } from './usage.ts';

const OPTIONS = {
  env: ENV_OR_PRODUCTION,
  integration: {
    value: 'ID',
    about: 'limits a sender to this IntegrationId, which may end in *; may be repeated',
    multiple: true,
    for: ['new'],
  },
  reader: { about: 'reads the table through the catalog, and does nothing else', for: ['new'] },
  operator: { about: 'sees the status of all senders and the catalog, and sends nothing', for: ['new'] },
  old: { about: 'revokes all tokens of a sender but the newest', for: ['revoke'] },
} as const;

const USAGE = `Usage: npm run token -- COMMAND [--env NAME]

  new NAME                       a sender, a reader or an operator, with a first token
  rotate NAME                    another token; its present ones stay valid
  install                        installs the list in the Worker, and waits until the service accepts the token in
                                 the variable API_TOKEN, if it is set
  revoke NAME                    revokes all tokens, and removes the sender from the list
  revoke sha256:DIGEST           revokes one token by its digest, such as API_TOKEN
  revoke                         revokes the token in the variable REVOKED_TOKEN
  local                          writes the senders to .dev.vars, for npm start

${describeOptions(OPTIONS)}

The senders are kept in tokens.ENV.json, with digests in place of tokens. Revoked tokens are listed in the bucket: every
version of the service refuses them within 30 seconds, without a deployment. When REVOKED_TOKEN is set, revoke waits until the
service refuses it. revoke needs the variables

${STORE_VARIABLES}`;

await runCommand(USAGE, async (args, interruption) => {
  const { values, words } = readCommandLine(args, OPTIONS, true);
  const [command, name = '', ...rest] = words;
  if (rest.length > 0) throw new UsageError(`Cannot use ${rest.join(' ')}: give one name at a time`);
  if ((command === 'new' || command === 'rotate') && name === '') {
    throw new UsageError(`Cannot do ${command} without a sender: give its name`);
  }
  const { env } = values;
  switch (command) {
    case 'new':
      return issue(env, name, list.addSender(readList(env), { name, ...limits(values) }));
    case 'rotate': {
      issue(env, name, list.rotate(readList(env), name));
      return console.log(afterRotation(name, env));
    }
    case 'install': {
      if (!hasList(env)) throw new Error(`Cannot install tokens.${env}.json: there is none; new NAME makes it`);
      // Loaded here only: it loads wrangler, which is slower than everything else in this file.
      const { installList } = await import('./token/install.ts');
      return installList(env, interruption);
    }
    case 'revoke': {
      const { revokeTokens } = await import('./token/install.ts');
      const sender = TOKEN_DIGEST.test(name) ? undefined : name;
      return revokeTokens(env, toRevoke(readList(env), name, values.old), sender, interruption);
    }
    case 'local':
      setLocalSecret('API_TOKENS', quoteJson(JSON.stringify(readList(env).senders)));
      return console.log(`API_TOKENS is in ${SECRETS_FILE}; now restart the service with npm start`);
    default:
      throw new UsageError('Cannot tell what to do: name new, rotate, install, revoke or local');
  }
});

/** The role and limits of a token holder, from the command line. */
function limits({ integration, reader, operator }: CommandLine<typeof OPTIONS>['values']): Omit<Sender, 'name'> {
  if (reader && operator) throw new UsageError('Cannot give two roles to one token: --reader or --operator');
  const role = reader ? 'reader' : operator ? 'operator' : undefined;
  return {
    ...(integration.length > 0 && { integrations: integration }),
    ...(role !== undefined && { role }),
  };
}

/** The digests of the tokens to revoke. */
function toRevoke(senders: list.SenderList, name: string, old: boolean): readonly string[] {
  if (TOKEN_DIGEST.test(name)) return [digestOf(name)];
  if (name !== '') return list.digestsOf(senders, name, old);
  const { REVOKED_TOKEN } = process.env;
  if (!REVOKED_TOKEN) throw new UsageError('Cannot tell what to revoke: give a name or a digest, or set REVOKED_TOKEN');
  return [digestOf(REVOKED_TOKEN)];
}

/** Writes the list with a new token, and prints the token. */
function issue(env: string, name: string, { list: senders, token }: list.Issued): void {
  writeList(env, senders);
  console.log(`The new token of ${name}, shown this once. Hand it over in a way that nobody else can read:

  ${token}

tokens.${env}.json is up to date. Install it

  locally:
    npm run token -- local --env ${env}

  in ${env}, with the new token in API_TOKEN, which is then tried:
    API_TOKEN=… npm run token -- install --env ${env}`);
}

function afterRotation(name: string, env: string): string {
  return `
From then on all tokens of ${name} work. When the counters show only the new one in use (column token, see docs/operating.md),
revoke the others:

  npm run token -- revoke ${name} --old --env ${env}`;
}
