/**
 * `npm run mutate -- ROOM`: changes the source in one place after the other, and prints what no test noticed.
 *
 * Stryker makes the mutants and drives Vitest, and so workerd.
 */

import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { EXCLUDED, mutantsOf, nameOf, placeOf, sample } from './mutants.ts';

/** Where a fault loses data or shows them, and the projects of vitest.config.ts that test it. */
const ROOMS: Record<string, { readonly files: readonly string[]; readonly projects: string }> = {
  contract: { files: ['src/contract/**/*.ts', 'src/json/**/*.ts'], projects: 'worker,node' },
  intake: { files: ['src/intake/**/*.ts'], projects: 'worker' },
  landing: { files: ['src/landing/**/*.ts'], projects: 'worker' },
  publish: { files: ['src/publish/**/*.ts'], projects: 'worker' },
  table: { files: ['src/table/**/*.ts', 'src/catalog/**/*.ts'], projects: 'worker' },
  guests: { files: ['src/guests/**/*.ts', 'src/cli/guests/**/*.ts'], projects: 'worker,node,tools' },
  storage: { files: ['src/storage/**/*.ts'], projects: 'worker' },
  senders: { files: ['src/senders/**/*.ts'], projects: 'worker' },
};

/** The score that each room has to reach, in percent of the mutants that are no equivalents. */
const GOAL = 85;

const USAGE = `Usage: npm run mutate -- ROOM [--file GLOB] [--sample N] [--seed N]

Changes the source of a room in one place after the other, runs the tests that reach it, and prints the changes that no
test noticed. Below ${GOAL} % it ends with 1. test/mutation/survivors.md lists what is known to survive, and why.

  ROOM         ${Object.keys(ROOMS).join(', ')}
  --file GLOB  only these files of it
  --sample N   so many changes chosen at random: a whole room takes hours
  --seed N     another choice of them (1)`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
const room = ROOMS[positionals[0] ?? ''];
if (room === undefined || values.help) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 2);
}

const files = globSync([...(values.file === undefined ? room.files : [values.file])]);
if (files.length === 0) throw new Error(`Cannot mutate ${values.file ?? room.files.join(' ')}: there is no such file`);
const mutants = await mutantsOf(files);
console.log(`${mutants.length} mutants in ${files.length} files`);

const chosen = values.sample === undefined ? undefined : sample(mutants, Number(values.sample), Number(values.seed));
process.env.MUTATE_PROJECTS = room.projects;
process.env.MUTATE_SAMPLE = JSON.stringify(chosen?.map(nameOf));
const results = await new Stryker({
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', resolve('test/mutation/only-sample.ts')],
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  mutate: chosen?.map(placeOf) ?? files,
  checkers: chosen === undefined ? [] : ['only-sample'],
  mutator: { excludedMutations: [...EXCLUDED] },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // A runtime that is busy is no mutant that never ends.
  timeoutMS: 20_000,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { logTests: false, allowColor: false, reportTests: false },
  tempDirName: '.wrangler/mutants',
  // It rewrites this file with an interface of the compiler that TypeScript 7 does not have.
  tsconfigFile: 'none.json',
  ignorePatterns: ['dist', '.wrangler', '.git'],
}).runMutationTest();

const counted = results.filter(({ status }) => status !== 'Ignored' && status !== 'CompileError');
const byTests = counted.filter(({ status }) => status === 'Killed' || status === 'RuntimeError').length;
const byTime = counted.filter(({ status }) => status === 'Timeout').length;
const score = (100 * (byTests + byTime)) / counted.length;
console.log(`${positionals[0]}: ${byTests + byTime} of ${counted.length} noticed, ${score.toFixed(1)} %`);
if (byTime > 0)
  console.log(`${byTime} of them never ended, which a busy machine causes as well: look at each, or try again`);
process.exitCode = score < GOAL ? 1 : 0;
