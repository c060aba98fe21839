/** Which mutants a room has, and a random choice of them, so that a score can be had in bounded time. */

import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Mutant } from '@stryker-mutator/api/core';
import { commonTokens } from '@stryker-mutator/api/plugin';
import { createInstrumenter } from '@stryker-mutator/instrumenter';
import fc from 'fast-check';
import { createInjector } from 'typed-inject';

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

/** So many mutants chosen at random, each as likely, and the same ones for the same seed. */
export function sample(mutants: readonly Mutant[], size: number, seed: number): readonly Mutant[] {
  const length = Math.min(size, mutants.length);
  const chosen = fc.shuffledSubarray([...mutants], { minLength: length, maxLength: length });
  return fc.sample(chosen, { numRuns: 1, seed })[0] ?? [];
}

/** The place of a mutant, as a pattern of Stryker's: all mutants within it match. */
export function placeOf({ fileName, location: { start, end } }: Mutant): string {
  return `${fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;
}

/** What tells a mutant from all others, whoever made it. */
export function nameOf(mutant: Mutant): string {
  const { mutatorName, replacement } = mutant;
  return [placeOf({ ...mutant, fileName: relative('.', mutant.fileName) }), mutatorName, replacement].join(' ');
}
