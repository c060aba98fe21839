/** How much one run of erasing takes on. */

import type { EraseLimits } from './limits.ts';

/** What is left of a run. */
export interface Budget {
  /** Whether anything more may be begun. */
  readonly isLeft: boolean;
  /** Counts an object that is read. */
  take(bytes: number): void;
}

export function createBudget({ runParts, runBytes }: Pick<EraseLimits, 'runParts' | 'runBytes'>): Budget {
  let [parts, bytes] = [runParts, runBytes];
  return {
    get isLeft() {
      return parts > 0 && bytes > 0;
    },
    take(size) {
      parts -= 1;
      bytes -= size;
    },
  };
}
