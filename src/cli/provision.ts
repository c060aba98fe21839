/** `npm run provision`: creates the resources of an environment in the account. Running it again changes nothing. */

import { agrees } from './agree.ts';
import { openAccount } from './cloudflare.ts';
import { runCommand } from './command.ts';
import { ENV } from './environments.ts';
import { type PlanStep, planFor } from './provision/plan.ts';
import { survey } from './provision/survey.ts';
import { LOCATIONS, wantedBy } from './provision/wanted.ts';
import { formatTable } from './table.ts';
import { COMMON_OPTIONS, describeOptions, readCommandLine, UsageError } from './usage.ts';
import { runWrangler } from './wrangler.ts';
import { readWranglerConfig } from './wrangler-config.ts';

const OPTIONS = {
  env: ENV,
  location: {
    value: LOCATIONS,
    about: 'where to place a new bucket, if wrangler.toml names no jurisdiction',
  },
  yes: COMMON_OPTIONS.yes,
} as const;

const USAGE = `Usage: npm run provision -- --env NAME [--location HINT] [--yes]

Makes the queues, the bucket and its lifecycle rules, and looks for tokens. Shows its plan and asks first. Log in
with npx wrangler login, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.

${describeOptions(OPTIONS)}`;

const SIGNS = { there: '✓', 'to do': '+', yours: '!', 'in the way': '✗' };

await runCommand(USAGE, async (args, interruption) => {
  const { env, location, yes } = readCommandLine(args, OPTIONS).values;
  if (env === undefined) throw new UsageError('Cannot tell for which environment: give --env');
  const wanted = wantedBy(readWranglerConfig(env));
  if (location !== undefined && wanted.jurisdiction !== undefined) {
    throw new UsageError(
      `Cannot use --location: the jurisdiction ${wanted.jurisdiction} already says where the bucket is`,
    );
  }
  console.error(`Looking at what is there for ${env}`);
  const steps = planFor(wanted, await survey(wanted, await openAccount(runWrangler)), env, location);
  const rows = steps.map(({ what, state, remark }) => ({ ' ': SIGNS[state], what, remark }));
  console.log(`\n${formatTable(rows).trimEnd()}`);
  if (steps.some(({ state }) => state === 'in the way')) {
    throw new Error('\nNothing has been done: fix what is marked with ✗ first');
  }
  const toDo = steps.filter(({ command }) => command !== undefined);
  if (toDo.length > 0 && (yes || (await agrees(`Carry out the ${toDo.length} steps marked with +?`)))) {
    await carryOut(toDo, interruption);
  }
  if (wanted.keepsGuests) {
    console.log(
      "\nGuests' names, addresses and birth dates are kept without limit: set KEEP_GUEST_COLUMNS_DAYS under [vars] of this environment in wrangler.toml where the law sets a limit",
    );
  }
  if (steps.some(({ state }) => state === 'yours')) console.log('\nWhat is marked with ! is left to you');
});

/**
 * Runs the steps one after another, since concurrent wranglers would each renew the same login. Stops at the first
 * failure: the plan can be run again from the start.
 */
async function carryOut(steps: readonly PlanStep[], interruption: AbortSignal): Promise<void> {
  console.log('');
  for (const { what, command = [] } of steps) {
    interruption.throwIfAborted();
    const { code, stdout, stderr } = await runWrangler(command);
    if (code !== 0) {
      const said = stderr.trim() || stdout.trim();
      throw new Error(
        `Cannot finish ${what.trim()}: wrangler ${command.join(' ')} says\n\n${said}\n\nRemove the cause, then run provision again`,
      );
    }
    console.log(`  ${SIGNS.there} ${what.trim()}`);
  }
}
