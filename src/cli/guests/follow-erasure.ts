/** Watching an erasure until it is finished. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ErasureRecord } from '../../storage/erasure.ts';
import type { ReadableStore } from '../object-store.ts';
import { readRecord } from './erasures.ts';

/** How often the record is read, in milliseconds: the publisher runs once a minute. */
const ASK_EVERY_MS = 5_000;

/** What each stage is, in words. */
const STAGES: Readonly<Record<ErasureRecord['stage'], string>> = {
  parts: 'rewriting the parts of events/ that were found',
  newer_parts: 'waiting until no earlier run is under way, then searching the parts that are newer than the search',
  table: 'waiting until no object of the table shows a row as it was',
  finished: 'finished',
};

interface Watch {
  readonly signal: AbortSignal;
  /** Told where it stands, when that has changed. */
  say(text: string): void;
  /** Runs the crons where nothing else does, as on one's own machine. */
  runCrons?(): Promise<void>;
  readonly askEveryMs?: number;
}

/** Returns the record when the erasure is finished. */
export async function followErasure(
  store: Pick<ReadableStore, 'get'>,
  id: string,
  { signal, say, runCrons, askEveryMs = ASK_EVERY_MS }: Watch,
): Promise<ErasureRecord> {
  let said = '';
  for (;;) {
    await runCrons?.();
    const record = await readRecord(store, id);
    const where =
      record === undefined
        ? 'Waiting for the next run of the publisher'
        : `${capital(STAGES[record.stage])}${doneOf(record)}`;
    if (where !== said) say(where);
    said = where;
    if (record?.finished_at) return record;
    await sleep(askEveryMs, undefined, { signal });
  }
}

function doneOf({ done, stage }: ErasureRecord): string {
  return done === 0 || stage === 'finished' ? '' : `: ${done} done`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
