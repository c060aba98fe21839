/** The record of an erasure, which is changed only from what was read. */

import type { Clock } from '../../storage/clock.ts';
import { type ErasureRecord, ErasureRecordSchema, type ErasureRequest } from '../../storage/erasure.ts';
import { erasureRecordKey } from '../../storage/keys.ts';
import { readState, swapState } from '../../storage/state.ts';
import type { Bucket } from '../bucket.ts';

export interface RecordTools {
  readonly bucket: Pick<Bucket, 'get' | 'put'>;
  readonly clock: Clock;
}

/** The record of an erasure of which nothing has been done. */
export function newRecord({ erasure_id, requested_at, received_through }: ErasureRequest): ErasureRecord {
  return {
    erasure_id,
    requested_at,
    received_through,
    stage: 'parts',
    done: 0,
    updated_at: requested_at,
    finished_at: null,
    parts: [],
    caught: [],
    missing: [],
  };
}

/** Reads a record; undefined when there is none yet. */
export async function readRecord(bucket: Pick<Bucket, 'get'>, erasureId: string): Promise<ErasureRecord | undefined> {
  return (await read(bucket, erasureId)).value;
}

/**
 * Changes a record, or begins it.
 *
 * @param change - Gives the same for what was written before, so that it can be done again.
 * @returns What it says now.
 * @throws When another run changes it at the same time; the next run does it again.
 */
export async function changeRecord(
  { bucket, clock }: RecordTools,
  begin: ErasureRecord,
  change: (record: ErasureRecord) => ErasureRecord,
): Promise<ErasureRecord> {
  const { value, ...last } = await read(bucket, begin.erasure_id);
  const next = change(value ?? begin);
  if (value !== undefined && JSON.stringify(next) === JSON.stringify(value)) return value;
  const written = { ...next, updated_at: new Date(clock.now()).toISOString() };
  if ((await swapState(bucket, erasureRecordKey(begin.erasure_id), written, last, clock)) !== undefined) return written;
  throw new Error(`Cannot change the record of erasure ${begin.erasure_id}: another run has changed it`);
}

/**
 * Takes note of rows whose guests were erased before they were published.
 *
 * @param key - Of their part.
 * @param caught - How many, by erasure.
 */
export async function noteCaught(
  tools: RecordTools,
  requests: readonly ErasureRequest[],
  key: string,
  caught: ReadonlyMap<string, number>,
): Promise<void> {
  for (const request of requests) {
    const rows = caught.get(request.erasure_id);
    if (rows === undefined) continue;
    await changeRecord(tools, newRecord(request), (record) =>
      record.caught.some((each) => each.key === key)
        ? record
        : { ...record, caught: [...record.caught, { key, rows }] },
    );
  }
}

function read(bucket: Pick<Bucket, 'get'>, erasureId: string) {
  return readState(bucket, erasureRecordKey(erasureId), ErasureRecordSchema, 'restore it from a copy');
}
