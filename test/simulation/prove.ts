/**
 * `npm run prove`: many seeds, none of which may break a promise, and planted bugs, each of which some seed must find.
 * `npm run prove -- SEED` repeats one seed, `npm run prove -- FROM TO` runs these.
 */

import { styleText } from 'node:util';
import type { Change } from './change.ts';
import { installLoader, loadIsolate, loadTools, takeOverPlatform } from './isolates.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';
import type { Outcome } from './simulate.ts';
import type { Code } from './stage.ts';

/** How many seeds are run when none is named. */
const SEEDS = 300;

/** After this number of seeds a planted bug counts as not found. */
const SEEDS_OF_A_BUG = SEEDS;

const PROGRESS_EVERY = 50;

const say = console.info.bind(console);
takeOverPlatform();
installLoader();
const { simulate } = await import('./simulate.ts');

process.once('SIGINT', () => process.exit(130));
process.exitCode = (await main(process.argv.slice(2).map(Number))) ? 0 : 1;

async function main([from, to = from]: readonly number[]): Promise<boolean> {
  if ([from, to].some((seed) => seed !== undefined && !(Number.isInteger(seed) && seed > 0))) {
    say('Cannot tell which seeds to run: give one, or the first and the last, as whole numbers from 1 on');
    return false;
  }
  if (from !== undefined && to !== undefined) return runSeeds(from, to);
  const holds = await runSeeds(1, SEEDS);
  const repeats = await repeatsItself();
  return (await findBugs()) && repeats && holds;
}

/** Runs seeds, and says of each that breaks a promise how to repeat it. */
async function runSeeds(from: number, to: number): Promise<boolean> {
  const code = await loadCode(`from-${from}`);
  const total = { steps: 0, events: 0, parts: 0, late: 0 };
  let broken = 0;
  for (let seed = from; seed <= to; seed += 1) {
    const outcome = await simulate(seed, code);
    total.steps += outcome.steps;
    total.events += outcome.events;
    total.parts += outcome.parts;
    total.late += outcome.late;
    if (outcome.violation !== undefined) {
      broken += 1;
      say(`${styleText('red', 'broken')}  seed ${seed}: ${outcome.violation}; npm run prove -- ${seed} repeats it`);
    }
    if ((seed - from + 1) % PROGRESS_EVERY === 0) say(`${seed - from + 1} of ${to - from + 1} seeds, ${broken} broken`);
  }
  say(
    `${to - from + 1} seeds, ${total.steps} steps, ${total.events} events in ${total.parts} parts, ${total.late} late where the metrics were wrong; ${broken} seeds broke a promise`,
  );
  return broken === 0;
}

/** Whether a seed gives the same run in other isolates. */
async function repeatsItself(): Promise<boolean> {
  const seed = 7;
  const traces = [];
  for (const name of ['once', 'again']) traces.push((await simulate(seed, await loadCode(name))).trace);
  const same = traces[0] === traces[1];
  say(same ? `Seed ${seed} gave the same run twice` : `Seed ${seed} gave two different runs`);
  return same;
}

/** Runs each planted bug until a seed finds it, and prints the table. */
async function findBugs(): Promise<boolean> {
  say(`\n| planted bug | seed | found by |\n| --- | ---: | --- |`);
  let missed = 0;
  for (const [number, [name, change]] of Object.entries(PLANTED_BUGS).entries()) {
    const { seed, violation } = await findBug(`bug-${number}`, change);
    if (violation === undefined) missed += 1;
    say(`| ${name} | ${violation === undefined ? '' : seed} | ${violation ?? 'nothing'} |`);
  }
  const bugs = Object.keys(PLANTED_BUGS).length;
  say(`\n${bugs - missed} of ${bugs} planted bugs were found`);
  return missed === 0;
}

async function findBug(name: string, change: Change): Promise<Pick<Outcome, 'violation'> & { seed: number }> {
  const code = await loadCode(name, change);
  for (let seed = 1; ; seed += 1) {
    const { violation } = await simulate(seed, code);
    if (violation !== undefined || seed === SEEDS_OF_A_BUG) return { seed, violation };
  }
}

/** Three isolates and the tools, of one version of the code. */
async function loadCode(name: string, change?: Change): Promise<Code> {
  const first = `${name}-a`;
  return {
    isolates: [
      await loadIsolate(first, change),
      await loadIsolate(`${name}-b`, change),
      await loadIsolate(`${name}-c`, change),
    ],
    tools: await loadTools(first, change),
  };
}
