/** What is known of erasures: those that wait, and the records of those that were begun. */

import * as v from 'valibot';
import { type ErasureRecord, ErasureRecordSchema } from '../../storage/erasure.ts';
import { timeOf } from '../../storage/event-id.ts';
import { ERASURE_RECORDS, ERASURE_REQUESTS, erasureRecordKey, erasureRequestKey } from '../../storage/keys.ts';
import type { ReadableStore } from '../object-store.ts';
import type { TableRow } from '../table.ts';

type Store = Pick<ReadableStore, 'list' | 'get'>;

/** The record of an erasure, or undefined while it has not been begun. */
export async function readRecord(store: Pick<ReadableStore, 'get'>, id: string): Promise<ErasureRecord | undefined> {
  const body = await store.get(erasureRecordKey(id));
  return body && v.parse(v.pipe(v.string(), v.parseJson(), ErasureRecordSchema), new TextDecoder().decode(body));
}

/** All erasures as rows of a table, in the order in which they were asked for. */
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
        stage: record?.stage ?? 'waits for the clock',
        finished: record?.finished_at ?? '',
        rows: rowsErased(record),
      };
    }),
  );
}

/** How many rows an erasure has come to. */
export function rowsErased({ parts = [], caught = [] }: Partial<ErasureRecord> = {}): number {
  return [...parts, ...caught].reduce((sum, { rows }) => sum + rows, 0);
}

/**
 * The record of an erasure as JSON.
 *
 * @throws When there is none.
 */
export async function showErasure(store: Store, id: string): Promise<string> {
  const record = await readRecord(store, id);
  if (record !== undefined) return `${JSON.stringify(record, undefined, 2)}\n`;
  if ((await store.get(erasureRequestKey(id))) !== undefined) {
    throw new Error(`Cannot show ${id}: it waits for the clock of the service, which begins with it within minutes`);
  }
  throw new Error(`Cannot show ${id}: there is no such erasure; npm run guests -- list prints their ids`);
}
