/** The record of an erasure, changed only by compare and swap. */

import type { Bucket } from '../../storage/bucket.ts';
import type { Clock } from '../../storage/clock.ts';
import { type ErasureRecord, ErasureRecordSchema, type ErasureRequest } from '../../storage/erasure.ts';
import { erasureRecordKey } from '../../storage/keys.ts';
import { readState, type State, swapState, UnreadableState } from '../../storage/state.ts';
import { logError } from '../../telemetry/log.ts';

export interface RecordTools {
  readonly bucket: Pick<Bucket, 'get' | 'put'>;
  readonly clock: Clock;
}

/**
 * Reads the record of a request; without one, returns a record that says nothing has been done.
 *
 * @returns Undefined when it is unreadable: its guest waits, and the others do not.
 */
export async function readRecord(
  bucket: Pick<Bucket, 'get'>,
  request: ErasureRequest,
): Promise<ErasureRecord | undefined> {
  const state = await readUnlessSpoilt(bucket, request);
  return state && (state.value ?? newRecord(request));
}

function newRecord({ erasure_id, requested_at, received_through }: ErasureRequest): ErasureRecord {
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

/**
 * Changes the record of a request, or creates it.
 *
 * @param change - Idempotent, so that it can be repeated.
 * @returns The new record; undefined when it is unreadable and nothing was written.
 * @throws When another run changes it at the same time; the next run repeats the change.
 */
export async function changeRecord(
  { bucket, clock }: RecordTools,
  request: ErasureRequest,
  change: (record: ErasureRecord) => Partial<ErasureRecord>,
): Promise<ErasureRecord | undefined> {
  const state = await readUnlessSpoilt(bucket, request);
  if (state === undefined) return undefined;
  const { value, ...last } = state;
  const before = value ?? newRecord(request);
  const next = { ...before, ...change(before) };
  if (value !== undefined && JSON.stringify(next) === JSON.stringify(value)) return value;
  const written = { ...next, updated_at: new Date(clock.now()).toISOString() };
  if ((await swapState(bucket, erasureRecordKey(request.erasure_id), written, last, clock)) !== undefined) {
    return written;
  }
  throw new Error(`Cannot change the record of erasure ${request.erasure_id}: another run has changed it`);
}

/** Adds the parts that the list does not have yet, so that adding can be repeated. */
export function withNew<Part extends { readonly key: string }>(parts: readonly Part[], more: readonly Part[]): Part[] {
  const known = new Set(parts.map(({ key }) => key));
  return [...parts, ...more.filter(({ key }) => !known.has(key))];
}

/**
 * Records rows whose guests were erased before publication.
 *
 * @param key - The key of their part.
 * @param caught - The number of rows by erasure id.
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
    await changeRecord(tools, request, (record) => ({ caught: withNew(record.caught, [{ key, rows }]) }));
  }
}

async function readUnlessSpoilt(
  bucket: Pick<Bucket, 'get'>,
  { erasure_id }: ErasureRequest,
): Promise<State<ErasureRecord> | undefined> {
  try {
    return await readState(bucket, erasureRecordKey(erasure_id), ErasureRecordSchema, 'restore it from a copy');
  } catch (error) {
    if (!(error instanceof UnreadableState)) throw error;
    logError('erasure_record_unreadable', error, { key: error.key });
    return undefined;
  }
}
