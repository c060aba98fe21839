/** `npm run rehearse`: tests the assumptions of this service on a real account, or on this machine. */

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { agrees } from './agree.ts';
import { runCommand } from './command.ts';
import { ENV } from './environments.ts';
import { interruptionSignal } from './interruption.ts';
import { runLocalCrons } from './local-crons.ts';
import { localPseudonymKey, startLocal } from './local-service.ts';
import { createObjectStore } from './object-store.ts';
import { openRehearsedAccount } from './rehearse/account.ts';
import { ASSUMPTIONS } from './rehearse/assumptions.ts';
import { makeTokens, type Rehearsal, type Verdict, verdict } from './rehearse/rehearsal.ts';
import { STORE_VARIABLES, storeLocation } from './store-location.ts';
import { withTemporaryFolder } from './temporary-folder.ts';
import { secretsOf } from './token/sender-list.ts';
import { COMMON_OPTIONS, describeOptions, readCommandLine, UsageError } from './usage.ts';

const OPTIONS = {
  env: { ...ENV, about: `${ENV.about}, made for this` },
  local: { about: 'asks a service on this machine, as far as that goes' },
  out: { value: 'FILE', about: 'writes the table there as well: docs/assumptions.md' },
  yes: COMMON_OPTIONS.yes,
} as const;

const USAGE = `Usage: npm run rehearse -- --env NAME [--yes]
       npm run rehearse -- --local

Tests what this service assumes about the platform, and prints a table of yes, no and unknown. With --env it makes a
whole environment in the account, in which nothing may be there yet, sends events, lands, publishes, revokes, rolls back
and erases, and removes everything in the end, also when something fails. That takes 20 to 40 minutes and costs less than a dollar.

${describeOptions(OPTIONS)}

Environment, with --env
${STORE_VARIABLES}`;

/** Events to send, half of them in batches. Locally a few suffice, to show that every question can be asked. */
const EVENTS = 2_000;
const LOCAL_EVENTS = 200;

const interruption = interruptionSignal();

await runCommand(
  USAGE,
  async (args) => {
    const { env, local, out, yes } = readCommandLine(args, OPTIONS).values;
    if ((env === undefined) !== local) throw new UsageError('Cannot tell where to rehearse: give --env or --local');
    const rows = env === undefined ? await onThisMachine() : await onAccount(env, yes);
    if (rows === undefined) return;
    const page = report(rows, env);
    console.log(page.slice(page.indexOf('| assumption')));
    if (out !== undefined) writeFileSync(out, page);
    const count = (answer: Verdict['answer']) => rows.filter((row) => row.answer === answer).length;
    console.log(`${count('yes')} yes, ${count('no')} no, ${count('unknown')} unknown`);
    if (count('no') > 0) process.exitCode = 1;
  },
  interruption,
);

function onThisMachine(): Promise<Row[]> {
  return withTemporaryFolder(async (stateDir) => {
    const tokens = makeTokens();
    const service = await startLocal({ stateDir, show: false, vars: secretsOf(tokens.list, []) });
    try {
      return await askAll({
        ...nothingYet(LOCAL_EVENTS),
        origin: service.origin,
        tokens,
        location: service.store,
        store: createObjectStore(service.store, interruption),
        account: undefined,
        pseudonymKey: localPseudonymKey(),
        runCrons: (steps) => runLocalCrons(service.origin, steps),
      });
    } finally {
      await service.stop();
    }
  });
}

async function onAccount(env: string, yes: boolean): Promise<Row[] | undefined> {
  const account = await openRehearsedAccount(env);
  const store = storeLocation();
  if (!process.env.R2_URL) throw new Error(`Cannot look into the bucket: set\n\n${STORE_VARIABLES}`);
  if (!(yes || (await agrees(`Make everything of ${env} in the account, try it, and remove it again?`))))
    return undefined;
  const rows: Row[] = [];
  try {
    const provisioned = await attempt('provision makes everything and then finds nothing to do', async () => {
      const [first, second] = [await account.provision(), await account.provision()];
      return verdict(second === 0, `${first} steps, then ${second}`);
    });
    rows.push(provisioned);
    const tokens = makeTokens();
    await account.deploy(secretsOf(tokens.list, []));
    rows.push(
      ...(await askAll({
        ...nothingYet(EVENTS),
        origin: await account.origin(),
        tokens,
        location: store,
        store: createObjectStore(store, interruption),
        account,
        pseudonymKey: randomBytes(32).toString('hex'),
        runCrons: async () => undefined,
      })),
    );
  } catch (error) {
    console.error(messageOf(error));
    rows.push({ says: 'Everything could be asked', answer: 'no', seen: messageOf(error) });
  } finally {
    console.error('Removing everything that was made');
    // Without the interruption's signal: everything is removed even if the rehearsal is cut short.
    const removed = await attempt('Everything can be removed again', async () => {
      const left = await account.remove(createObjectStore(store));
      return verdict(left.length === 0, left.join(', ') || 'nothing is left');
    });
    rows.push(removed);
  }
  return rows;
}

/** One row of the table: an assumption and its verdict. */
interface Row extends Verdict {
  readonly says: string;
}

/** Checks all assumptions in order. */
async function askAll(rehearsal: Rehearsal): Promise<Row[]> {
  const rows: Row[] = [];
  let blocked: string | undefined;
  for (const [at, assumption] of ASSUMPTIONS.entries()) {
    console.error(`${at + 1}/${ASSUMPTIONS.length}  ${assumption.says}`);
    const skipped =
      blocked ?? (assumption.needsAccount && rehearsal.account === undefined ? 'only an account can tell' : undefined);
    const row =
      skipped === undefined
        ? await attempt(assumption.says, () => assumption.ask(rehearsal))
        : ({ says: assumption.says, answer: 'unknown', seen: skipped } as const);
    console.error(`     ${row.answer}: ${row.seen}`);
    rows.push(row);
    if (assumption.isNeeded && row.answer !== 'yes') blocked = `not asked, since this did not hold: ${assumption.says}`;
  }
  return rows;
}

/** An error makes the answer unknown; an interruption ends the rehearsal. */
async function attempt(says: string, ask: () => Promise<Verdict>): Promise<Row> {
  try {
    const answered = await ask();
    interruption.throwIfAborted();
    return { says, ...answered };
  } catch (error) {
    interruption.throwIfAborted();
    return { says, answer: 'unknown', seen: messageOf(error) };
  }
}

function nothingYet(events: number): Pick<Rehearsal, 'events' | 'signal' | 'accepted' | 'readings'> {
  return { events, signal: interruption, accepted: new Set(), readings: { waiting: 0, aged: 0 } };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Renders docs/assumptions.md. */
function report(rows: readonly Row[], env: string | undefined): string {
  const [where, events] =
    env === undefined ? ['this machine', LOCAL_EVENTS] : [`an account, environment ${env}`, EVENTS];
  const lines = rows.map(({ says, answer, seen }) => `| ${says} | **${answer}** | ${seen.replaceAll(/[|\n]/g, ' ')} |`);
  return `# Assumptions

What this service assumes about the platform, and what was seen when it was tested. \`npm run rehearse\` tests it and writes
this page. On your own machine (\`--local\`) it cannot test what only an account can answer; those answers are unknown. Look
into every **no** before you deploy to production.

Tested on ${new Date().toISOString().slice(0, 10)} on ${where}, with ${events.toLocaleString('en')} events.

| assumption | true? | what was seen |
| --- | --- | --- |
${lines.join('\n')}
`;
}
