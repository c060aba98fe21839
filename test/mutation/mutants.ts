/** Which mutants a room has, and a random choice of them, so that a score can be had in bounded time. */

import { readFileSync } from 'node:fs';
import type { Mutant } from '@stryker-mutator/api/core';
import { commonTokens } from '@stryker-mutator/api/plugin';
import { createInstrumenter } from '@stryker-mutator/instrumenter';
import { createInjector } from 'typed-inject';
import { seeded } from '../faults/random.ts';

/** What is mutated in texts alone changes what a person reads; tests of wording are the contract's, not these. */
export const EXCLUDED = ['StringLiteral', 'Regex'] as const;

/** All mutants of these files. */
export async function mutantsOf(files: readonly string[]): Promise<readonly Mutant[]> {
  const silent = () => undefined;
  const enabled = () => false;
  const logger = {
    isTraceEnabled: enabled,
    isDebugEnabled: enabled,
    isInfoEnabled: enabled,
    isWarnEnabled: enabled,
    isErrorEnabled: enabled,
    isFatalEnabled: enabled,
    trace: silent,
    debug: silent,
    info: silent,
    warn: console.warn,
    error: console.error,
    fatal: console.error,
  };
  const instrumenter = createInjector().provideValue(commonTokens.logger, logger).injectFunction(createInstrumenter);
  const { mutants } = await instrumenter.instrument(
    files.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') })),
    { plugins: null, excludedMutations: [...EXCLUDED], ignorers: [] },
  );
  return mutants.filter(({ status }) => status === undefined);
}

/** Patterns of Stryker's for `size` mutants chosen at random, the same ones for the same seed. */
export function sample(mutants: readonly Mutant[], size: number, seed: number): readonly string[] {
  const random = seeded(seed);
  const left = [...mutants];
  const chosen: string[] = [];
  while (chosen.length < size && left.length > 0) {
    const [mutant] = left.splice(random.int(0, left.length - 1), 1);
    if (mutant === undefined) break;
    const { start, end } = mutant.location;
    chosen.push(`${mutant.fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`);
  }
  return chosen;
}
