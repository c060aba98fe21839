/** Installing tokens in every state that a Worker can be deployed in, which a stand-in for Cloudflare's API holds. */

import type { Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AskAccount, openAccount } from '../../../src/cli/cloudflare.ts';
import type { InCheckout } from '../../../src/cli/deploy/in-checkout.ts';
import { addSender, NO_SENDERS, revoke, secretsOf } from '../../../src/cli/sender-list.ts';
import { install } from '../../../src/cli/token/install.ts';
import { readState, type WorkerState } from '../../../src/cli/worker-state.ts';
import { type RunWrangler, runWrangler } from '../../../src/cli/wrangler.ts';
import { type Account, emptyAccount, environmentFor, serve, type UploadedVersion } from '../cloudflare.ts';

const ENV = 'staging';
const WORKER = 'reservation-events-staging';
const NAMED = { API_TOKENS: '{"hotel-a":{"tokens":["sha256:new"]}}' };
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

const [FIRST, SAME, OTHER] = [version(1, 'good'), version(2, 'good'), version(2, 'bad')];

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

/** What is asked when nothing has to be. */
const notAsked = async (question: string): Promise<boolean> => {
  throw new Error(`There was a question: ${question}`);
};

/** What is done when no commit has to be checked out. */
const notCheckedOut: InCheckout = async (commit) => {
  throw new Error(`Commit ${commit} was checked out`);
};

interface Options {
  readonly agrees?: (question: string) => Promise<boolean>;
  readonly checkout?: string;
  readonly runs?: RunWrangler;
  readonly inCheckout?: InCheckout;
}

async function installIn(
  worker: Account['worker'],
  secrets: Readonly<Record<string, string>>,
  { agrees = notAsked, checkout = 'commit-of-here', runs = run, inCheckout = notCheckedOut }: Options = {},
): Promise<boolean> {
  account.worker = worker;
  const state = await readState(WORKER, ask);
  return install({ env: ENV, state, checkout }, secrets, runs, agrees, inCheckout);
}

/** What the traffic meets: code, tag and secrets of every version that has a share. */
function live() {
  const { deployed = {}, versions = [] } = account.worker ?? {};
  return Object.entries(deployed).map(([id, percentage]) => {
    const { code, tag, secrets } = versions.find((one) => one.id === id) ?? {};
    return { percentage, code, tag, secrets };
  });
}

/** A wrangler that is only told what to do. */
function recorded(commands: string[], where: string): RunWrangler {
  return async (args) => {
    commands.push(`${where}: ${args.join(' ')}`);
    return { code: 0, stdout: '', stderr: '' };
  };
}

describe.each([
  ['named senders, API_TOKEN stays as it was set', NAMED],
  ['a new token in API_TOKEN', secretsOf(addSender(NO_SENDERS, { name: 'default' }).list)],
  ['API_TOKEN revoked', secretsOf(revoke(NO_SENDERS, 'default'))],
])('`install()` with %s', (_, secrets: Readonly<Record<string, string>>) => {
  const withNew = (code: string) => [
    { percentage: 100, code, tag: `commit-of-${code}`, secrets: { ...OLD_SECRETS, ...secrets } },
  ];

  test('says how to deploy when nothing is deployed, and makes no empty Worker', async () => {
    await expect(installIn(undefined, secrets)).rejects.toThrow('npm run deploy -- --env staging deploys it together');
    expect(account.changes).toEqual([]);
  });

  test('gives the newest version the tokens when it has all traffic', async () => {
    expect(await installIn({ versions: [FIRST, OTHER], deployed: { [OTHER.id]: 100 } }, secrets)).toBe(true);
    expect(live()).toEqual(withNew('bad'));
  });

  test('gives all traffic to one version with the tokens during a gradual deployment, when the operator agrees', async () => {
    const worker = () => ({ versions: [FIRST, OTHER], deployed: { [FIRST.id]: 90, [OTHER.id]: 10 } });
    const asked: string[] = [];
    const answering = (agreed: boolean) => async (question: string) => {
      asked.push(question);
      return agreed;
    };
    expect(await installIn(worker(), secrets, { agrees: answering(false) })).toBe(false);
    expect(account.changes).toEqual([]);
    expect(asked[0]).toContain(
      `npx wrangler versions deploy ${FIRST.id}@100% --env staging --yes    (it has 90 % now)`,
    );
    expect(await installIn(worker(), secrets, { agrees: answering(true) })).toBe(true);
    expect(live()).toEqual(withNew('bad'));
  });

  test('asks for a decision when two versions share the traffic and a third is newer', async () => {
    const third = version(3, 'newer');
    const worker = { versions: [FIRST, OTHER, third], deployed: { [FIRST.id]: 50, [OTHER.id]: 50 } };
    await expect(installIn(worker, secrets)).rejects.toThrow(
      `npx wrangler versions deploy ${OTHER.id}@100% --env staging --yes`,
    );
    expect(account.changes).toEqual([]);
  });

  test('installs after a rollback to the same code', async () => {
    expect(await installIn({ versions: [FIRST, SAME], deployed: { [FIRST.id]: 100 } }, secrets)).toBe(true);
    expect(live()).toEqual(withNew('good'));
  });

  test.each([
    ['from here when it is checked out here', 'commit-of-good', 'here'],
    ['from a checkout of its commit otherwise', 'commit-of-here', 'commit-of-good'],
  ])('deploys the code that was rolled back to once more, %s', async (_, checkout, where) => {
    const commands: string[] = [];
    const inCheckout: InCheckout = (commit, work) => work(recorded(commands, commit));
    const worker = { versions: [FIRST, OTHER], deployed: { [FIRST.id]: 100 } };
    const runs = recorded(commands, 'here');
    expect(await installIn(worker, secrets, { checkout, runs, inCheckout })).toBe(true);
    expect(commands).toEqual([
      expect.stringMatching(
        new RegExp(`^${where}: deploy --minify --env staging --tag commit-of-good --secrets-file \\S+secrets\\.json$`),
      ),
    ]);
    expect(account.changes).toEqual([]);
  });

  test.each([
    [undefined, 'git worktree add ../installing COMMIT'],
    ['abc123+', 'It was deployed from abc123, with changes that were not committed'],
  ])('says what to type when the code that was rolled back to has the tag %s', async (tag, message) => {
    const { tag: _, ...untagged } = FIRST;
    const rolledBackTo = tag === undefined ? untagged : { ...untagged, tag };
    const worker = { versions: [rolledBackTo, OTHER], deployed: { [FIRST.id]: 100 } };
    const refused = await installIn(worker, secrets).catch((error: Error) => error.message);
    expect(refused).toContain(message);
    expect(refused).toContain('npm run --silent token -- secrets --env staging > ../secrets.json');
    expect(refused).toContain(`To run the newest version instead: npx wrangler versions deploy ${OTHER.id}@100%`);
    expect(account.changes).toEqual([]);
  });
});

test('`install()` shows what is said when a secret is too large, and leaves what is deployed', async () => {
  const worker = { versions: [FIRST], deployed: { [FIRST.id]: 100 } };
  await expect(installIn(worker, { API_TOKENS: 'x'.repeat(5_121) })).rejects.toThrow(
    /Cannot install the tokens: wrangler says[\s\S]*5 kB/,
  );
  expect(live()).toMatchObject([{ secrets: OLD_SECRETS }]);
});

describe('readState()', () => {
  test('says how to log in when nobody is', async () => {
    const loggedOut = await openAccount(runWrangler, { ...environmentFor(url), CLOUDFLARE_API_TOKEN: 'wrong' });
    await expect(readState(WORKER, loggedOut)).rejects.toThrow('log in with npx wrangler login');
  });

  test.each<[string, Record<string, number>, WorkerState['kind']]>([
    ['all traffic on the newest', { [OTHER.id]: 100 }, 'current'],
    ['all traffic on the newest, none on another', { [OTHER.id]: 100, [FIRST.id]: 0 }, 'current'],
    ['all traffic on an older one', { [FIRST.id]: 100 }, 'behind'],
    ['two versions', { [FIRST.id]: 99, [OTHER.id]: 1 }, 'shared'],
  ])('tells %s: %j is %s', async (_, deployed, kind) => {
    account.worker = { versions: [FIRST, OTHER], deployed };
    expect((await readState(WORKER, ask)).kind).toBe(kind);
  });
});
