/** What every stage of an erasure works with. */

import type { ActiveErasures, ActiveRequest } from '../../guests/active-erasures.ts';
import type { ErasureRecord } from '../../storage/erasure.ts';
import type { Budget } from '../budget.ts';
import type { RewriteTools, Rewriting } from './rewriting.ts';

export interface Work {
  readonly tools: RewriteTools;
  readonly erasures: ActiveErasures;
  readonly rewriting: Rewriting;
  readonly budget: Budget;
}

/**
 * Does as much of a stage as the run may.
 *
 * @returns The record; its stage is another one when this one is done. Undefined when another run has gone on.
 */
export type EraseStage = (
  work: Work,
  request: ActiveRequest,
  record: ErasureRecord,
) => Promise<ErasureRecord | undefined>;
