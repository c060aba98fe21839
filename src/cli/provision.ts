/** `npm run provision`: makes what an environment needs in the account. Running it again changes nothing. */

import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { unstable_readConfig } from 'wrangler';
import { runCommand } from './command.ts';
import { toEnvironment } from './environments.ts';
import { planFor, type Step } from './provision/plan.ts';
import { survey } from './provision/survey.ts';
import { wantedBy } from './provision/wanted.ts';
import { parseCommandLine, UsageError } from './usage.ts';
import { runWrangler } from './wrangler.ts';

const USAGE = `Usage: npm run provision -- --env staging|production [--yes]

Makes the queues, the bucket and its lifecycle rules, and checks the secrets. Shows its plan and asks first; --yes does
not ask. Log in with npx wrangler login, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.`;

const SIGNS = { there: styleText('green', '✓'), 'to do': styleText('yellow', '+'), yours: styleText('red', '!') };

const OPTIONS = { env: { type: 'string' }, yes: { type: 'boolean', default: false } } as const;

await runCommand(USAGE, async (args) => {
  const { env, yes } = parseCommandLine({ args, options: OPTIONS }).values;
  if (env === undefined) throw new UsageError('Cannot tell for which environment: give --env');
  await provision(toEnvironment(env), yes);
});

async function provision(env: string, yes: boolean): Promise<void> {
  const wanted = wantedBy(unstable_readConfig({ env }, { hideWarnings: true }));
  console.error(`Looking at what is there for ${env}`);
  const steps = planFor(wanted, await survey(wanted, env, runWrangler), env);
  show(steps);
  const toDo = steps.filter(({ command }) => command !== undefined);
  if (toDo.length > 0 && (yes || (await agrees(toDo.length)))) await carryOut(toDo);
  if (steps.some(({ state }) => state === 'yours')) console.log('\nWhat is marked with ! is left to you');
}

function show(steps: readonly Step[]): void {
  const width = Math.max(...steps.map(({ what }) => what.length));
  console.log('');
  for (const { what, state, remark } of steps) console.log(`  ${SIGNS[state]} ${what.padEnd(width)}  ${remark}`);
}

/** Asks; where there is nobody to ask, nothing is done. */
async function agrees(steps: number): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.log('\nNothing has been done; add --yes to carry the plan out');
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`\nCarry out the ${steps} steps marked with +? [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Carries steps out one after another, and stops at the first that fails: the plan can be run again from the start. */
async function carryOut(steps: readonly Step[]): Promise<void> {
  console.log('');
  for (const { what, command = [] } of steps) {
    const { code, stdout, stderr } = await runWrangler(command);
    if (code !== 0) {
      const said = stderr.trim() || stdout.trim();
      throw new Error(
        `Cannot finish ${what.trim()}: wrangler ${command.join(' ')} says\n\n${said}\n\nRun provision again when that is mended`,
      );
    }
    console.log(`  ${SIGNS.there} ${what.trim()}`);
  }
}
