/** One run of the table writer, and the record that it leaves behind. */

import { uuidv7 } from '../storage/event-id.ts';
import { readState, type State, swapState } from '../storage/state.ts';
import { TABLE_RUN_KEY, type TableRun, TableRunSchema } from '../storage/table-run.ts';
import type { TableTools } from './tools.ts';
import { type WriterRun, writeTable } from './write-table.ts';

/**
 * Runs once.
 *
 * @throws What writing throws, after recording it.
 */
export async function runTable(tools: TableTools): Promise<WriterRun> {
  const before = await readState(tools.bucket, TABLE_RUN_KEY, TableRunSchema);
  try {
    const run = await writeTable(tools, before.value);
    await record(tools, before, run);
    return run;
  } catch (error) {
    await record(tools, before, { ended: 'failed' });
    throw error;
  }
}

const NONE = { log_sequence: 0, complete_through: null, tidied_at: null, replaced_through: 0 };

type Ended = Partial<Omit<WriterRun, 'ended'>> & Pick<TableRun, 'ended'>;

/** Of two concurrent runs, only one leaves its record. */
async function record({ bucket, clock }: TableTools, before: State<TableRun>, run: Ended): Promise<void> {
  const { log_sequence, complete_through, tidied_at, replaced_through, ended } = { ...NONE, ...before.value, ...run };
  const ended_at = new Date(clock.now()).toISOString();
  const isGood = ended === 'done' || ended === 'more';
  const next: TableRun = {
    run: uuidv7(),
    ended_at,
    ended,
    last_good_at: isGood ? ended_at : (before.value?.last_good_at ?? null),
    log_sequence,
    complete_through,
    tidied_at,
    replaced_through,
  };
  await swapState(bucket, TABLE_RUN_KEY, next, before, clock);
}
