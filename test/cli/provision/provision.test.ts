/** Planning against what the real wrangler printed; `node test/cli/provision/record.ts` records it. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { planFor, type Step } from '../../../src/cli/provision/plan.ts';
import { parseRules, survey } from '../../../src/cli/provision/survey.ts';
import { type Wanted, wantedBy } from '../../../src/cli/provision/wanted.ts';
import { type Ran, type RunWrangler, runWrangler } from '../../../src/cli/wrangler.ts';

type Recorded = Readonly<Record<string, Ran>>;

const RECORDED: { readonly before: Recorded; readonly doing: Recorded; readonly after: Recorded } = JSON.parse(
  readFileSync(new URL('./recorded.json', import.meta.url), 'utf8'),
);
const ENV = 'staging';
const WANTED: Wanted = wantedBy(unstable_readConfig({ config: 'wrangler.toml', env: ENV }, { hideWarnings: true }));

/** Plays a recording back; a command that is not in it fails the test. */
function playing(recorded: Recorded): RunWrangler {
  return async (args) => {
    const ran = recorded[args.join(' ')];
    if (ran === undefined) throw new Error(`There is no recording of wrangler ${args.join(' ')}; record it`);
    return ran;
  };
}

const plan = async (recorded: Recorded) => planFor(WANTED, await survey(WANTED, ENV, playing(recorded)), ENV);
const commands = (steps: readonly Step[]) => steps.flatMap(({ command }) => (command ? [command.join(' ')] : []));

test('`wantedBy()` reads every queue, the dead-letter queues too, and the bucket off wrangler.toml', () => {
  expect(WANTED).toEqual({
    queues: [
      'reservation-events-staging',
      'reservation-events-staging-rejected',
      'reservation-events-staging-dead-letter',
      'reservation-events-staging-rejected-dead-letter',
    ],
    buckets: ['reservation-events-staging'],
    secrets: ['API_TOKEN'],
  });
});

describe('planFor()', () => {
  test('makes everything in an empty account, with the commands that were recorded', async () => {
    const steps = await plan(RECORDED.before);
    expect(commands(steps)).toEqual(Object.keys(RECORDED.doing));
    expect(Object.values(RECORDED.doing).map(({ code }) => code)).toEqual(
      steps.flatMap(({ command }) => (command ? [0] : [])),
    );
    expect(steps.filter(({ state }) => state === 'yours')).toMatchObject([{ what: 'secret API_TOKEN' }]);
  });

  test('finds everything in the account that it has provided for', async () => {
    const steps = await plan(RECORDED.after);
    expect(commands(steps)).toEqual(
      WANTED.queues.map((queue) => `queues update ${queue} --message-retention-period-secs 1209600 --env staging`),
    );
    expect(steps.filter(({ command }) => command === undefined).map(({ state }) => state)).toEqual(
      Array(7).fill('there'),
    );
  });

  test('leaves a rule alone that somebody has changed, and says so', async () => {
    const list = 'r2 bucket lifecycle list reservation-events-staging --env staging';
    const { stdout, ...ran } = RECORDED.after[list] ?? { code: 1, stdout: '', stderr: '' };
    const changed = { ...RECORDED.after, [list]: { ...ran, stdout: stdout.replace('after 30 days', 'after 90 days') } };
    const [rule] = (await plan(changed)).filter(({ state }) => state === 'yours');
    expect(rule).toMatchObject({
      what: '  rule rejected',
      remark: expect.stringContaining('after 90 days; left as it is'),
    });
    expect(rule?.command).toBeUndefined();
  });

  test('says how to set a secret that is missing', async () => {
    const list = 'secret list --format json --env staging';
    const steps = await plan({ ...RECORDED.after, [list]: { code: 0, stdout: '[]\n', stderr: '' } });
    expect(steps.at(-1)).toMatchObject({
      state: 'yours',
      remark: expect.stringContaining('npx wrangler secret put API_TOKEN --env staging'),
    });
  });
});

describe('survey()', () => {
  test.each(Object.keys(RECORDED.before))('stops when %s fails for an unknown reason', async (command) => {
    const broken = {
      ...RECORDED.before,
      [command]: { code: 1, stdout: '', stderr: 'Authentication error [code: 10000]' },
    };
    await expect(survey(WANTED, ENV, playing(broken))).rejects.toThrow('Authentication error [code: 10000]');
  });
});

test('`parseRules()` leaves out rules that are switched off', () => {
  const stdout = RECORDED.after['r2 bucket lifecycle list reservation-events-staging --env staging']?.stdout ?? '';
  expect(parseRules(stdout)).toContainEqual({
    name: 'rejected',
    prefix: 'rejected/',
    action: 'Expire objects after 30 days',
  });
  const off = stdout.replace(/(rejected\nenabled: {2})Yes/, '$1No');
  expect(parseRules(off).map(({ name }) => name)).toEqual(
    parseRules(stdout)
      .map(({ name }) => name)
      .filter((name) => name !== 'rejected'),
  );
});

describe('the installed wrangler', () => {
  const used = Object.values(RECORDED).flatMap((recorded) => Object.keys(recorded));
  // Made for a queue that is there already, which the account of the recording had none of.
  const update = 'queues update reservation-events-staging --message-retention-period-secs 1209600 --env staging';
  const flags = Map.groupBy(
    [...used, update],
    (line) => line.split(' --', 1)[0]?.replace(/ [\w-]*(staging|TOKEN)[\w-]*.*/, '') ?? '',
  );

  test.each([...flags])('knows %s and its flags', async (command, lines) => {
    const { code, stdout } = await runWrangler([...command.split(' '), '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`wrangler ${command}`);
    for (const flag of new Set(lines.flatMap((line) => line.match(/(?<= )--[\w-]+/g) ?? []))) {
      expect(stdout).toMatch(new RegExp(`${flag}\\b`));
    }
  });
});
