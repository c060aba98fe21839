/** `npm run token`: makes tokens for senders, and says how to install them. */

import { DEFAULT_SENDER, type Sender } from '../senders/sender.ts';
import { runCommand } from './command.ts';
import { toEnvironment } from './environments.ts';
import { quoteJson, SECRETS_FILE, setLocalSecret } from './local-secrets.ts';
import * as list from './sender-list.ts';
import { hasList, readList, writeList } from './token/list-file.ts';
import { parseCommandLine, UsageError } from './usage.ts';

const USAGE = `Usage: npm run token -- COMMAND [--env NAME]

  new NAME [--integration ID]…   a sender with a first token, limited to these IntegrationIds; an ID may end in *
  new NAME --reader              a reader: reads the table through the catalog, and does nothing else
  new NAME --operator            an operator: sees the status of all senders and the catalog, and sends nothing
  rotate NAME                    a further token; the ones it has go on to work
  revoke NAME --old              takes all tokens but the newest away
  revoke NAME                    takes the sender away
                                 NAME may be default, the sender of API_TOKEN: new default replaces what was set by hand
  local                          writes the senders to .dev.vars, for npm start
  install [--yes]                puts the list into what is deployed, and waits until the service accepts the token in
                                 the variable API_TOKEN and refuses the one in REVOKED_TOKEN, those that are set
  secrets                        prints the secrets that install sets

The senders are kept in tokens.ENV.json, with digests in place of tokens. As long as default is not among them, install
leaves API_TOKEN and API_TOKEN_NEXT as they are. Without --env it is production.`;

const OPTIONS = {
  env: { type: 'string', default: 'production' },
  integration: { type: 'string', multiple: true },
  old: { type: 'boolean', default: false },
  reader: { type: 'boolean', default: false },
  operator: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
} as const;

await runCommand(USAGE, async (args) => {
  const { values, positionals } = parseCommandLine({ args, options: OPTIONS, allowPositionals: true });
  const [command, name = '', ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`Cannot use ${rest.join(' ')}: give one name at a time`);
  const takesName = command === 'new' || command === 'rotate' || command === 'revoke';
  if (takesName && name === '') throw new UsageError(`Cannot do ${command} without a sender: give its name`);
  const env = toEnvironment(values.env);
  if (command === 'install') {
    if (!hasList(env)) throw new Error(`Cannot install tokens.${env}.json: there is none; new NAME makes it`);
    // It loads wrangler, which takes longer than everything else here.
    const { installList } = await import('./token/install-command.ts');
    await installList(env, values.yes);
  } else console.log(run(env, command, { name, ...limits(values) }, values.old));
});

/** What the command line says about a sender in addition to its name. */
function limits({ integration, reader, operator }: Limits): Omit<Sender, 'name'> {
  if (reader && operator) throw new UsageError('Cannot give two roles to one token: --reader or --operator');
  const role = reader ? 'reader' : operator ? 'operator' : undefined;
  return { ...(integration !== undefined && { integrations: integration }), ...(role !== undefined && { role }) };
}

interface Limits {
  readonly integration?: string[];
  readonly reader: boolean;
  readonly operator: boolean;
}

/** Does what is asked, and returns what to tell. */
function run(env: string, command: string | undefined, sender: Sender, old: boolean): string {
  const { name } = sender;
  const senders = readList(env);
  switch (command) {
    case 'new': {
      const issued = list.addSender(senders, sender);
      writeList(env, issued.list);
      return `${handOver(issued.token, name)}\n\n${installation(env, name, 'API_TOKEN')}`;
    }
    case 'rotate': {
      const issued = list.rotate(senders, name);
      writeList(env, issued.list);
      return `${handOver(issued.token, name)}\n\n${installation(env, name, 'API_TOKEN')}\n\n${afterRotation(name, env)}`;
    }
    case 'revoke':
      writeList(env, old ? list.revokeOld(senders, name) : list.revoke(senders, name));
      return `${old ? `${name} keeps its newest token only` : `${name} is a sender no longer`}\n\n${installation(env, name, 'REVOKED_TOKEN')}`;
    case 'local':
      setLocalSecret('API_TOKENS', quoteJson(JSON.stringify(senders.senders)));
      return `API_TOKENS is in ${SECRETS_FILE}; now restart the service with npm start`;
    case 'secrets':
      return JSON.stringify(list.secretsOf(senders), null, 2);
    case undefined:
      return USAGE;
    default:
      throw new UsageError(`Cannot do ${command}: there is no such command`);
  }
}

function handOver(token: string, name: string): string {
  return `The new token of ${name}, shown this once. Hand it over by a way that nobody else reads:

  ${token}`;
}

/** @param tried - The variable for the token that changed, so that the service can be asked about it. */
function installation(env: string, name: string, tried: 'API_TOKEN' | 'REVOKED_TOKEN'): string {
  const token = tried === 'API_TOKEN' ? 'the new token' : 'a token that must no longer work';
  const install = `in ${env}, with ${token} in ${tried}, which is then tried:
    ${tried}=… npm run token -- install --env ${env}`;
  if (name === DEFAULT_SENDER) {
    return `tokens.${env}.json is up to date. Installing it also takes away what was set by hand as API_TOKEN and API_TOKEN_NEXT. Install it

  ${install}`;
  }
  return `tokens.${env}.json is up to date. Install it

  locally:
    npm run token -- local --env ${env}

  ${install}`;
}

function afterRotation(name: string, env: string): string {
  return `From then on all tokens of ${name} work. When the counters show only the new one in use (column token, see docs/operating.md),
take the others away and install again:

  npm run token -- revoke ${name} --old --env ${env}`;
}
