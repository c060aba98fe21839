/** `npm run token`: makes tokens for senders, and says how to install them. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { runCommand } from './command.ts';
import { toEnvironment } from './environments.ts';
import { quoteJson, SECRETS_FILE, setLocalSecret } from './local-secrets.ts';
import * as list from './sender-list.ts';
import { parseCommandLine, UsageError } from './usage.ts';

const USAGE = `Usage: npm run token -- COMMAND [--env staging|production]

  new NAME [--integration ID]…   a sender with a first token, limited to these IntegrationIds; an ID may end in *
  rotate NAME                    a further token; the ones it has go on to work
  revoke NAME --old              takes all tokens but the newest away
  revoke NAME                    takes the sender away
  local                          writes the senders to .dev.vars, for npm start
  secrets                        prints the secrets, for wrangler secret bulk

The senders are kept in tokens.ENV.json, with digests in place of tokens. Without --env it is production.`;

const OPTIONS = {
  env: { type: 'string', default: 'production' },
  integration: { type: 'string', multiple: true },
  old: { type: 'boolean', default: false },
} as const;

await runCommand(USAGE, (args) => {
  const { values, positionals } = parseCommandLine({ args, options: OPTIONS, allowPositionals: true });
  const [command, name = '', ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`Cannot use ${rest.join(' ')}: give one name at a time`);
  const takesName = command === 'new' || command === 'rotate' || command === 'revoke';
  if (takesName && name === '') throw new UsageError(`Cannot do ${command} without a sender: give its name`);
  console.log(run(toEnvironment(values.env), command, name, values.integration, values.old));
});

/** Does what is asked, and returns what to tell. */
function run(
  env: string,
  command: string | undefined,
  name: string,
  integrations: readonly string[] | undefined,
  old: boolean,
): string {
  const file = resolve(`tokens.${env}.json`);
  const senders = read(file);
  switch (command) {
    case 'new': {
      const issued = list.addSender(senders, { name, ...(integrations !== undefined && { integrations }) });
      write(file, issued.list);
      return `${handOver(issued.token, name)}\n\n${installation(env)}`;
    }
    case 'rotate': {
      const issued = list.rotate(senders, name);
      write(file, issued.list);
      return `${handOver(issued.token, name)}\n\n${installation(env)}\n\n${afterRotation(name, env)}`;
    }
    case 'revoke':
      write(file, old ? list.revokeOld(senders, name) : list.revoke(senders, name));
      return `${old ? `${name} keeps its newest token only` : `${name} is a sender no longer`}\n\n${installation(env)}`;
    case 'local':
      setLocalSecret('API_TOKENS', quoteJson(JSON.stringify(senders.senders)));
      return `API_TOKENS is in ${SECRETS_FILE}; now start the service afresh with npm start`;
    case 'secrets':
      return JSON.stringify(list.secretsOf(senders), null, 2);
    case undefined:
      return USAGE;
    default:
      throw new UsageError(`Cannot do ${command}: there is no such command`);
  }
}

function read(file: string): list.SenderList {
  if (!existsSync(file)) return list.NO_SENDERS;
  const text = v.pipe(v.string(), v.parseJson({}, 'is not JSON'), list.SenderListSchema);
  const parsed = v.safeParse(text, readFileSync(file, 'utf8'));
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new Error(`Cannot read ${file}: ${v.getDotPath(issue) ?? 'it'} ${issue.message}`);
}

function write(file: string, senders: list.SenderList): void {
  writeFileSync(file, `${JSON.stringify(senders, null, 2)}\n`);
}

function handOver(token: string, name: string): string {
  return `The new token of ${name}, shown this once. Hand it over by a way that nobody else reads:

  ${token}`;
}

function installation(env: string): string {
  return `tokens.${env}.json is up to date. Install it

  locally:
    npm run token -- local --env ${env}

  in ${env}, where it works within seconds and needs no deployment:
    npm run --silent token -- secrets --env ${env} | npx wrangler secret bulk --env ${env}`;
}

function afterRotation(name: string, env: string): string {
  return `From then on all tokens of ${name} work. When the counters show only the new one in use (column token, see docs/operating.md),
take the others away and install again:

  npm run token -- revoke ${name} --old --env ${env}`;
}
