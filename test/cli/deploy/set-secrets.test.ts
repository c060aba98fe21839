/** Setting secrets in every state that a Worker can be deployed in, which a stand-in for Cloudflare's API holds. */

import type { Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AskAccount, openAccount } from '../../../src/cli/cloudflare.ts';
import { readDeployed } from '../../../src/cli/deploy/deployed.ts';
import { setSecrets } from '../../../src/cli/deploy/set-secrets.ts';
import { type RunWrangler, runWrangler } from '../../../src/cli/wrangler.ts';
import { type Account, emptyAccount, environmentFor, serve, type UploadedVersion } from '../cloudflare.ts';

const ENV = 'staging';
const WORKER = 'reservation-events-staging';
const SECRETS = { API_TOKENS: '{"hotel-a":{"tokens":["sha256:new"]}}', PSEUDONYM_KEY: 'new' };
const OLD_SECRETS = {
  API_TOKENS: '{"hotel-a":{"tokens":["sha256:leaked"]}}',
  API_TOKEN: 'leaked',
  API_TOKEN_NEXT: 'leaked too',
  ALERT_WEBHOOK: 'https://hooks.example/kept',
  PSEUDONYM_KEY: 'kept',
};

/** A version whose id ends in a number; the later ones are newer. */
function version(number: number, code: string): UploadedVersion {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  return { id, code, tag: `commit-of-${code}`, secrets: OLD_SECRETS };
}

const [FIRST, SAME, OTHER, THIRD] = [version(1, 'good'), version(2, 'good'), version(2, 'bad'), version(3, 'newer')];

let account: Account;
let url: string;
let server: Server;
let ask: AskAccount;

beforeEach(async () => {
  account = emptyAccount();
  ({ url, server } = await serve(account));
  ask = await openAccount(runWrangler, environmentFor(url));
  Object.assign(process.env, environmentFor(url));
});

afterEach(() => {
  server.close();
});

/** The wrangler that is used: the real one takes seconds for each command, so that it is for the long run. */
const run: RunWrangler = process.env.THOROUGH === '1' ? runWrangler : (args, input = '') => likeWrangler(args, input);

/** Sends what the real wrangler sends for the two commands that installing takes. */
async function likeWrangler(args: readonly string[], input: string) {
  const [first, second, third] = args;
  const call = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${environmentFor(url).CLOUDFLARE_API_TOKEN}` };
    const response = await fetch(`${url}/accounts/0/workers${path}`, { method, headers, body: JSON.stringify(body) });
    return (await response.json()) as { success: boolean; errors: object[]; result: { id: string } | null };
  };
  const answer = ({ success, errors }: { success: boolean; errors: object[] }, stdout: string) => ({
    code: success ? 0 : 1,
    stdout,
    stderr: JSON.stringify(errors),
  });
  if (`${first} ${second} ${third}` === 'versions secret bulk') {
    const texts = Object.entries(JSON.parse(input)).map(([name, text]) => [name, { type: 'secret_text', text }]);
    const annotations = { 'workers/tag': args[args.indexOf('--tag') + 1] };
    const body = { env: Object.fromEntries(texts), annotations };
    const made = await call('PATCH', `/workers/${WORKER}/versions/latest`, body);
    return answer(made, `Created version ${made.result?.id} with 1 secret created`);
  }
  if (`${first} ${second}` === 'versions deploy') {
    const [version_id, share = ''] = third?.split('@') ?? [];
    const versions = [{ version_id, percentage: Number(share.replace('%', '')) }];
    return answer(await call('POST', `/scripts/${WORKER}/deployments`, { versions }), '');
  }
  throw new Error(`Cannot stand in for wrangler ${args.join(' ')}`);
}

async function setIn(
  worker: Account['worker'],
  { secrets = SECRETS as Readonly<Record<string, string>>, checkout = 'commit-of-here', runs = run } = {},
): Promise<void> {
  account.worker = worker;
  await setSecrets({ env: ENV, deployed: await readDeployed(WORKER, ask), checkout }, secrets, runs);
}

/** What the traffic meets: code, tag and secrets of every version that has a share. */
function live() {
  const { deployed = {}, versions = [] } = account.worker ?? {};
  return Object.entries(deployed).map(([id, percentage]) => {
    const { code, tag, secrets } = versions.find((one) => one.id === id) ?? {};
    return { percentage, code, tag, secrets };
  });
}

const withNew = (code: string) => [
  { percentage: 100, code, tag: `commit-of-${code}`, secrets: { ...OLD_SECRETS, ...SECRETS } },
];

describe('setSecrets()', () => {
  test.each<[string, Account['worker'], string]>([
    ['the newest version, when it has all traffic', { versions: [FIRST, OTHER], deployed: { [OTHER.id]: 100 } }, 'bad'],
    [
      'the newest version, beside one without traffic',
      { versions: [FIRST, OTHER], deployed: { [OTHER.id]: 100, [FIRST.id]: 0 } },
      'bad',
    ],
    ['an older version of the same commit', { versions: [FIRST, SAME], deployed: { [FIRST.id]: 100 } }, 'good'],
  ])('gives them to %s, and keeps its tag and its other secrets', async (_, worker, code) => {
    await setIn(worker);
    expect(live()).toEqual(withNew(code));
  });

  test('deploys the code that was rolled back to once more, from a checkout of its commit', async () => {
    const commands: string[] = [];
    const runs: RunWrangler = async (args) => {
      commands.push(args.join(' '));
      return { code: 0, stdout: '', stderr: '' };
    };
    await setIn({ versions: [FIRST, OTHER], deployed: { [FIRST.id]: 100 } }, { checkout: 'commit-of-good', runs });
    expect(commands).toEqual([
      expect.stringMatching(/^deploy --minify --env staging --tag commit-of-good --secrets-file \S+secrets\.json$/),
    ]);
  });

  const changed = { ...FIRST, tag: 'commit-of-good+' };
  test.each<[string, Account['worker'], string]>([
    ['nothing is deployed', undefined, 'npm run deploy -- --env staging comes first'],
    [
      'two versions share the traffic',
      { versions: [FIRST, OTHER], deployed: { [FIRST.id]: 90, [OTHER.id]: 10 } },
      `npx wrangler versions deploy ${FIRST.id}@100% --env staging --yes    (it has 90 % now)`,
    ],
    [
      'two versions share the traffic and a third is newer',
      { versions: [FIRST, OTHER, THIRD], deployed: { [FIRST.id]: 50, [OTHER.id]: 50 } },
      `npx wrangler versions deploy ${OTHER.id}@100% --env staging --yes`,
    ],
    [
      'an older version with other code has the traffic',
      { versions: [FIRST, OTHER], deployed: { [FIRST.id]: 100 } },
      'Or try again from a checkout of commit-of-good',
    ],
    [
      'it is not certain that the code is the same',
      { versions: [changed, { ...SAME, tag: 'commit-of-good+' }], deployed: { [FIRST.id]: 100 } },
      `npx wrangler versions deploy ${SAME.id}@100% --env staging --yes`,
    ],
  ])('says why it cannot and what to do when %s, and changes nothing', async (_, worker, message) => {
    const refused = await setIn(worker).catch((error: Error) => error.message);
    expect(refused).toContain('Cannot set API_TOKENS, PSEUDONYM_KEY: ');
    expect(refused).toContain(message);
    expect(account.changes).toEqual([]);
  });

  test('shows what is said when a secret is too large, and leaves what is deployed', async () => {
    const worker = { versions: [FIRST], deployed: { [FIRST.id]: 100 } };
    await expect(setIn(worker, { secrets: { API_TOKENS: 'x'.repeat(5_121) } })).rejects.toThrow(
      /Cannot set the secrets: wrangler says[\s\S]*5 kB/,
    );
    expect(live()).toMatchObject([{ secrets: OLD_SECRETS }]);
  });
});

describe('readDeployed()', () => {
  test('says how to log in when nobody is', async () => {
    const loggedOut = await openAccount(runWrangler, { ...environmentFor(url), CLOUDFLARE_API_TOKEN: 'wrong' });
    await expect(readDeployed(WORKER, loggedOut)).rejects.toThrow('log in with npx wrangler login');
  });

  test('names the secrets of a version, by which those that a list no longer needs are emptied', async () => {
    account.worker = { versions: [FIRST], deployed: { [FIRST.id]: 100 } };
    expect((await readDeployed(WORKER, ask))?.newest.secrets).toEqual(Object.keys(OLD_SECRETS));
  });
});
