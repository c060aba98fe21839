/** Reads erasures: the requests that wait and the records of those that were begun. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type ErasureRecord, ErasureRecordSchema } from '../../storage/erasure.ts';
import { timeOf } from '../../storage/event-id.ts';
import { ERASURE_RECORDS, ERASURE_REQUESTS, erasureRecordKey, erasureRequestKey } from '../../storage/keys.ts';
import type { ReadableStore } from '../object-store.ts';
import { parseStored } from '../parse-stored.ts';
import type { TableRow } from '../table.ts';

type Store = Pick<ReadableStore, 'list' | 'get'>;

/** How often the record is polled, in milliseconds: the publisher runs once a minute. */
const ASK_EVERY_MS = 5_000;

/** Progress text for each stage. */
const STAGES: Readonly<Record<ErasureRecord['stage'], string>> = {
  parts: 'Rewriting the parts of events/ that were found',
  newer_parts: 'Waiting until no earlier run is under way, then searching the parts that are newer than the search',
  table: 'Waiting until no object of the table shows a row as it was',
  finished: 'Finished',
};

/**
 * Reads the record of an erasure; undefined until the publisher has begun it.
 *
 * @throws When the record is unreadable.
 */
export async function readRecord(store: Pick<Store, 'get'>, id: string): Promise<ErasureRecord | undefined> {
  const key = erasureRecordKey(id);
  const body = await store.get(key);
  if (body === undefined) return undefined;
  const record = parseStored(ErasureRecordSchema, body);
  if (record.ok) return record.value;
  throw new Error(`Cannot read ${key}: ${record.error}; restore it from a copy, or delete it`);
}

/** All erasures as table rows, in the order in which they were requested. */
export async function listErasures(store: Store): Promise<TableRow[]> {
  const ids = new Set<string>();
  for (const prefix of [ERASURE_RECORDS, ERASURE_REQUESTS]) {
    for await (const { key } of store.list(prefix)) ids.add(key.slice(prefix.length).replace(/\.json$/, ''));
  }
  return Promise.all(
    [...ids].sort().map(async (id) => {
      const record = await readRecord(store, id);
      return {
        id,
        asked: timeOf(id).toISOString(),
        stage: record?.stage ?? 'waits for the publisher',
        finished: record?.finished_at ?? '',
        rows: rowsErased(record),
      };
    }),
  );
}

/** The rows that an erasure has rewritten so far. */
export function rowsErased({ parts = [], caught = [] }: Partial<ErasureRecord> = {}): number {
  return [...parts, ...caught].reduce((sum, { rows }) => sum + rows, 0);
}

/**
 * The record of an erasure as JSON.
 *
 * @throws When there is no record.
 */
export async function showErasure(store: Store, id: string): Promise<string> {
  const record = await readRecord(store, id);
  if (record !== undefined) return `${JSON.stringify(record, undefined, 2)}\n`;
  if ((await store.get(erasureRequestKey(id))) !== undefined) {
    throw new Error(`Cannot show ${id}: it waits for the next run of the publisher; ask again in a few minutes`);
  }
  throw new Error(`Cannot show ${id}: there is no such erasure; npm run guests -- list prints their ids`);
}

interface Watch {
  readonly signal: AbortSignal;
  /** Called with the progress whenever it changes. */
  say(text: string): void;
  /** Runs the crons where no platform does, as on a developer's machine. */
  runCrons?(): Promise<void>;
  readonly askEveryMs?: number;
}

/** Polls an erasure until it is finished and returns its record. */
export async function followErasure(
  store: Pick<Store, 'get'>,
  id: string,
  { signal, say, runCrons, askEveryMs = ASK_EVERY_MS }: Watch,
): Promise<ErasureRecord> {
  let said = '';
  for (;;) {
    await runCrons?.();
    const record = await readRecord(store, id);
    const where = record === undefined ? 'Waiting for the next run of the publisher' : progressOf(record);
    if (where !== said) say(where);
    said = where;
    if (record?.finished_at) return record;
    await sleep(askEveryMs, undefined, { signal });
  }
}

function progressOf({ stage, done }: ErasureRecord): string {
  return done === 0 || stage === 'finished' ? STAGES[stage] : `${STAGES[stage]}: ${done} done`;
}
