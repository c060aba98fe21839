/** Which mutants a room has, and a random choice of them, so that a score can be had in bounded time. */

import { readFileSync } from 'node:fs';
import type { Mutant, Position } from '@stryker-mutator/api/core';
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

/** Beyond so many changes within one, it is a block whose loss anything notices; a sample takes smaller ones. */
const MOST_WITHIN = 5;

/**
 * Patterns of Stryker's for `size` mutants, or up to four more, chosen at random, the same ones for the same seed. Since a pattern names a place,
 * all mutants within it come along.
 */
export function sample(mutants: readonly Mutant[], size: number, seed: number): readonly string[] {
  const random = seeded(seed);
  const left = [...mutants];
  const chosen = new Set<Mutant>();
  const patterns: string[] = [];
  while (chosen.size < size && left.length > 0) {
    const [mutant] = left.splice(random.int(0, left.length - 1), 1);
    if (mutant === undefined) break;
    const within = mutants.filter((other) => contains(mutant, other));
    if (within.length > MOST_WITHIN) continue;
    for (const one of within) chosen.add(one);
    const { start, end } = mutant.location;
    patterns.push(`${mutant.fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`);
  }
  return patterns;
}

function contains(
  { fileName, location: { start, end } }: Mutant,
  { fileName: file, location: inner }: Mutant,
): boolean {
  const order = (a: Position, b: Position) => a.line - b.line || a.column - b.column;
  return fileName === file && order(start, inner.start) <= 0 && order(inner.end, end) <= 0;
}
