/** Planning for an account, which a stand-in for Cloudflare's API holds. */

import type { Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { experimental_getWranglerCommands } from 'wrangler';
import { openAccount } from '../../../src/cli/cloudflare.ts';
import { missingFromAccount } from '../../../src/cli/provision/account.ts';
import { type PlanStep, planFor } from '../../../src/cli/provision/plan.ts';
import { survey } from '../../../src/cli/provision/survey.ts';
import { JURISDICTIONS, LOCATIONS, type Wanted, wantedBy } from '../../../src/cli/provision/wanted.ts';
import { runWrangler } from '../../../src/cli/wrangler.ts';
import { readWranglerConfig } from '../../../src/cli/wrangler-config.ts';
import { type Account, emptyAccount, environmentFor, serve } from '../cloudflare.ts';
import { run } from '../commands.ts';

const ENV = 'staging';
const CONFIG = readWranglerConfig(ENV);
const WANTED: Wanted = wantedBy(CONFIG);
const EU: Wanted = { ...WANTED, jurisdiction: 'eu' };

let account: Account;
let url: string;
let server: Server;

beforeEach(async () => {
  account = emptyAccount();
  ({ url, server } = await serve(account));
});

afterEach(() => {
  server.close();
});

async function plan(wanted: Wanted, location?: string): Promise<PlanStep[]> {
  return planFor(wanted, await survey(wanted, await openAccount(runWrangler, environmentFor(url))), ENV, location);
}

const commands = (steps: readonly PlanStep[]) => steps.flatMap(({ command }) => (command ? [command.join(' ')] : []));
const inState = (steps: readonly PlanStep[], state: PlanStep['state']) => steps.filter((step) => step.state === state);

/** Carries a plan out with the real wrangler. */
async function carryOut(steps: readonly PlanStep[]): Promise<void> {
  Object.assign(process.env, environmentFor(url));
  for (const { command } of steps) {
    if (command === undefined) continue;
    const { code, stdout, stderr } = await runWrangler(command);
    expect(`${stdout}${stderr}`).not.toContain('stand-in');
    expect(code).toBe(0);
  }
}

/** Puts into the account what wrangler would, without the seconds that it takes. */
function provide({ queues, bucket, rules, jurisdiction }: Wanted): void {
  for (const [at, queue_name] of queues.entries()) {
    account.queues.push({
      queue_id: String(at).padStart(32, '0'),
      queue_name,
      ...(jurisdiction !== undefined && { jurisdiction }),
      settings: { message_retention_period: 1_209_600 },
      consumers: [],
    });
  }
  const stored = rules.map(({ name, prefix, action, days }) => ({
    id: name,
    enabled: true,
    conditions: { prefix },
    [action === 'expire' ? 'deleteObjectsTransition' : 'abortMultipartUploadsTransition']: {
      condition: { type: 'Age', maxAge: days * 86_400 },
    },
  }));
  account.buckets.set(`${jurisdiction ?? ''}/${bucket}`, stored);
  account.worker = { versions: [{ id: 'a', code: 'a', secrets: { API_TOKENS: '{}' } }], deployed: { a: 100 } };
}

describe('wantedBy()', () => {
  test('reads every queue, the dead-letter queues too, the bucket and its rules off wrangler.toml', () => {
    expect(WANTED).toEqual({
      onWorkersDev: true,
      worker: 'reservation-events-staging',
      queues: [
        'reservation-events-staging',
        'reservation-events-staging-rejected',
        'reservation-events-staging-dead-letter',
        'reservation-events-staging-rejected-dead-letter',
        'reservation-events-staging-gather',
      ],
      bucket: 'reservation-events-staging',
      rules: [
        { name: 'landing', prefix: 'landing/', action: 'abort-multipart', days: 7 },
        { name: 'events', prefix: 'events/', action: 'abort-multipart', days: 7 },
        { name: 'rejected', prefix: 'rejected/', action: 'expire', days: 30 },
        { name: 'dead-letter', prefix: 'dead-letter/', action: 'expire', days: 30 },
        { name: 'unreadable', prefix: 'unreadable/', action: 'expire', days: 30 },
      ],
      keepsGuests: true,
      jurisdiction: undefined,
    });
  });

  test('takes the jurisdiction from the bucket, where the Worker looks for it as well', () => {
    const r2_buckets = CONFIG.r2_buckets.map((bucket) => ({ ...bucket, jurisdiction: 'eu' }));
    expect(wantedBy({ ...CONFIG, r2_buckets }).jurisdiction).toBe('eu');
  });

  test.each(['0', 'thirty', '', '31', '365', '1.5'])('refuses to keep something for %j days', (KEEP_REJECTED_DAYS) => {
    const vars = { ...CONFIG.vars, KEEP_REJECTED_DAYS };
    expect(() => wantedBy({ ...CONFIG, vars })).toThrow('Cannot use KEEP_REJECTED_DAYS in wrangler.toml');
  });
});

describe('planFor()', () => {
  test('makes everything in an empty account, in the jurisdiction', async () => {
    const steps = await plan(EU);
    expect(commands(steps)).toHaveLength(11);
    expect(commands(steps).filter((command) => !command.includes(' --jurisdiction eu'))).toEqual([]);
    expect(inState(steps, 'yours').map(({ what }) => what)).toEqual(['tokens']);
  });

  test('does nothing in an account that it has provided for', async () => {
    provide(EU);
    expect(new Set((await plan(EU)).map(({ state }) => state))).toEqual(new Set(['there']));
    expect(account.changes).toEqual([]);
  });

  test('does not make an ordinary bucket wherever this machine happens to be', async () => {
    expect(inState(await plan(WANTED), 'in the way')).toMatchObject([{ what: 'bucket reservation-events-staging' }]);
    const steps = await plan(WANTED, 'weur');
    expect(inState(steps, 'in the way')).toEqual([]);
    expect(commands(steps)).toContain(`r2 bucket create ${WANTED.bucket} --location weur --env staging`);
  });

  test.each([
    ['an ordinary account', WANTED, EU],
    ['the European Union', EU, WANTED],
  ])('refuses to mix what lies in %s with another jurisdiction', async (_, there, wanted) => {
    provide(there);
    const inTheWay = inState(await plan(wanted, 'weur'), 'in the way').map(({ what }) => what);
    expect(inTheWay).toEqual([...wanted.queues.map((queue) => `queue ${queue}`), `bucket ${wanted.bucket}`]);
  });

  test('says what to click in a fresh account, and goes as far as it can without', async () => {
    account.enabled.clear();
    const steps = await plan(EU);
    expect(inState(steps, 'in the way')).toMatchObject([
      { what: `bucket ${EU.bucket}`, remark: expect.stringContaining('https://dash.cloudflare.com/?to=/:account/r2') },
    ]);
    const [analytics, workersDev] = inState(steps, 'yours').slice(-2);
    expect(analytics?.remark).toContain('?to=/:account/workers/analytics-engine and enable it');
    expect(workersDev?.remark).toContain('?to=/:account/workers/onboarding and choose one');
  });

  test('asks for no name on workers.dev where there is a route', async () => {
    account.enabled.delete('subdomain');
    const routed = wantedBy({ ...CONFIG, routes: [{ pattern: 'intake.example' }] });
    expect(inState(await plan(routed, 'weur'), 'yours').map(({ what }) => what)).toEqual(['tokens']);
  });

  test('lengthens the default retention, and leaves one that somebody chose', async () => {
    provide(WANTED);
    const [first, second] = account.queues;
    if (first === undefined || second === undefined) throw new Error('Cannot find two queues');
    first.settings = { message_retention_period: 345_600 };
    second.settings = { message_retention_period: 604_800 };
    const steps = await plan(WANTED);
    expect(commands(steps)).toEqual([
      `queues update ${first.queue_name} --message-retention-period-secs 1209600 --env staging`,
    ]);
    expect(inState(steps, 'yours')).toMatchObject([
      {
        what: `queue ${second.queue_name}`,
        remark: expect.stringContaining('keeps messages for 7 days; not changed'),
      },
    ]);
  });

  test('leaves a rule alone that differs from wrangler.toml, and says what would change it', async () => {
    provide(WANTED);
    const rules = WANTED.rules.map((rule) => (rule.name === 'rejected' ? { ...rule, days: 7 } : rule));
    const steps = await plan({ ...WANTED, rules });
    expect(commands(steps)).toEqual([]);
    const [rule] = inState(steps, 'yours');
    expect(rule?.what).toBe('  rule rejected');
    expect(rule?.remark).toContain('is there: rejected/ expire after 30 days; not changed');
    expect(rule?.remark).toContain('lifecycle add reservation-events-staging rejected rejected/ --expire-days 7');
  });

  test('ignores a rule that is switched off', async () => {
    provide(WANTED);
    const [key = '', rules = []] = [...account.buckets][0] ?? [];
    account.buckets.set(
      key,
      rules.map((rule, at) => ({ ...rule, enabled: at !== 0 })),
    );
    expect(commands(await plan(WANTED))).toEqual([
      `r2 bucket lifecycle add ${WANTED.bucket} landing landing/ --abort-multipart-days 7 --force --env staging`,
    ]);
  });

  test('says that the service is closed when there is no token', async () => {
    provide(WANTED);
    account.worker = { versions: [{ id: 'a', code: 'a', secrets: {} }], deployed: { a: 100 } };
    expect((await plan(WANTED)).find(({ what }) => what === 'tokens')).toMatchObject({
      state: 'yours',
      remark: expect.stringContaining('the service is closed'),
    });
  });

  test.each(JURISDICTIONS)('gives the installed wrangler words that it knows, in %s', async (jurisdiction) => {
    const steps = [...(await plan({ ...WANTED, jurisdiction })), ...(await plan(WANTED, LOCATIONS[0]))];
    for (const command of steps.flatMap((step) => (step.command ? [step.command] : []))) {
      const flags = command.flatMap((word) => (word.startsWith('--') ? [word.slice(2)] : []));
      expect(flagsOf(command)).toEqual(expect.arrayContaining(flags));
    }
  });

  test.runIf(process.env.THOROUGH === '1')(
    'is carried out by the real wrangler, and then has nothing left',
    async () => {
      await carryOut(await plan(EU));
      const steps = await plan(EU);
      expect(commands(steps)).toEqual([]);
      expect(inState(steps, 'there')).toHaveLength(13);
    },
  );
});

/** The flags of the command of wrangler that these words begin with. */
function flagsOf(words: readonly string[]): string[] {
  const { registry, globalFlags } = experimental_getWranglerCommands();
  let node: { definition?: unknown; subtree?: ReadonlyMap<string, unknown> } | undefined = registry;
  for (const word of words) node = (node?.subtree?.get(word) as typeof node) ?? node;
  const definition = node?.definition as { args?: object } | undefined;
  return [...Object.keys(definition?.args ?? {}), ...Object.keys(globalFlags)];
}

test.each([
  [
    'You need to enable Analytics Engine. Head to the Cloudflare Dashboard [code: 10089]',
    'Analytics Engine is not switched on',
  ],
  ['Please enable R2 through the Cloudflare Dashboard. [code: 10042]', 'no subscription to R2'],
  [
    'or register a workers.dev subdomain here:\nhttps://dash.cloudflare.com/0/workers/onboarding',
    'no name on workers.dev',
  ],
  ['Text binding API_TOKENS is larger than 5 kB [code: 10054]', undefined],
])('`missingFromAccount()` explains %j', (said, remedy) => {
  const missing = missingFromAccount(said);
  if (remedy === undefined) expect(missing).toBeUndefined();
  else expect(missing).toContain(remedy);
});

describe('openAccount()', () => {
  test('says how to log in when the API does not take the token', async () => {
    const ask = await openAccount(runWrangler, { ...environmentFor(url), CLOUDFLARE_API_TOKEN: 'wrong' });
    await expect(survey(WANTED, ask)).rejects.toThrow(
      '“Authentication error” [code: 10000]; log in with npx wrangler login',
    );
  });

  test('asks wrangler for the credentials and the account, and says when it has none', async () => {
    const { CLOUDFLARE_API_BASE_URL } = environmentFor(url);
    const loggedIn = async ([word]: readonly string[]) => {
      const said = { auth: { type: 'oauth', token: 'a-token-of-the-account' }, whoami: { accounts: [{ id: 'one' }] } };
      return { code: 0, stdout: JSON.stringify(said[word as keyof typeof said]), stderr: '' };
    };
    const ask = await openAccount(loggedIn, { CLOUDFLARE_API_BASE_URL });
    expect(await ask('/queues?name=none')).toEqual([]);
    const loggedOut = async () => ({ code: 1, stdout: '', stderr: 'Not logged in' });
    await expect(openAccount(loggedOut, {})).rejects.toThrow('nobody is logged in; log in with npx wrangler login');
  });

  test('does not choose between two accounts', async () => {
    const accounts = [
      { id: '1', name: 'one' },
      { id: '2', name: 'two' },
    ];
    const two = async () => ({ code: 0, stdout: JSON.stringify({ accounts }), stderr: '' });
    const env = { CLOUDFLARE_API_TOKEN: 'a' };
    await expect(openAccount(two, env)).rejects.toThrow('set CLOUDFLARE_ACCOUNT_ID to one of\n  1  one\n  2  two');
  });
});

// It starts wrangler for each answer that it needs, which takes seconds.
test.runIf(process.env.THOROUGH === '1')(
  'the command shows its plan, and carries nothing out where there is nobody to ask',
  async () => {
    const { stdout } = await run('provision', ['--env', ENV, '--location', 'weur'], { env: environmentFor(url) });
    expect(stdout).toMatch(/^\+ +bucket reservation-events-staging +create near weur/m);
    expect(stdout).toContain('Nothing has been done; add --yes');
    expect(account.changes).toEqual([]);
  },
);
