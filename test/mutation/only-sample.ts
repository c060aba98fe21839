/** A checker of Stryker's that takes the mutants of a sample and leaves out those that lie within them. */

import { type Checker, CheckStatus } from '@stryker-mutator/api/check';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { nameOf } from './mutants.ts';

class OnlySample implements Checker {
  /** Names of mutants, as JSON: a checker is a process of its own. */
  readonly #sample: ReadonlySet<string> = new Set(JSON.parse(process.env.MUTATE_SAMPLE ?? '[]'));

  async init(): Promise<void> {}

  async check(mutants: Parameters<Checker['check']>[0]): ReturnType<Checker['check']> {
    return Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        this.#sample.has(nameOf(mutant))
          ? { status: CheckStatus.Passed }
          : { status: CheckStatus.CompileError, reason: 'not in the sample' },
      ]),
    );
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'only-sample', OnlySample)];
