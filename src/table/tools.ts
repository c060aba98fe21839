/** What the steps of a run share. */

import type { Bucket } from '../storage/bucket.ts';
import type { Clock } from '../storage/clock.ts';
import { create } from '../storage/create-object.ts';
import { uuidv7 } from '../storage/event-id.ts';
import type { ManifestReader } from '../storage/iceberg/snapshot.ts';
import { TABLE_METADATA } from '../storage/iceberg/table.ts';
import type { Guests } from './guests.ts';
import type { TableLimits } from './limits.ts';

/** The dependencies of a run. */
export interface TableTools {
  readonly bucket: Bucket;
  /** The location of a new table, for example `s3://bucket/iceberg/events`. */
  readonly location: string;
  readonly clock: Clock;
  readonly guests: Guests;
  readonly limits: TableLimits;
}

/** One attempt at a new version of the table. The names of all objects that it creates contain its id. */
export interface Attempt extends TableTools {
  /** A UUIDv7. */
  readonly id: string;
  readonly manifests: ManifestReader;
  next(): number;
}

export function beginAttempt(tools: TableTools, manifests: ManifestReader): Attempt {
  let created = 0;
  return { ...tools, id: uuidv7(), manifests, next: () => created++ };
}

/**
 * Creates an object of an attempt.
 *
 * @throws When the key exists, which no other attempt can have used.
 */
export async function createOwn(
  { bucket }: Attempt,
  key: string,
  body: Uint8Array<ArrayBuffer>,
  options: Omit<R2PutOptions, 'onlyIf'>,
): Promise<void> {
  if ((await create(bucket, key, body, options)) === null)
    throw new Error(`Cannot create ${key}: there is one already`);
}

/** Creates a manifest or the manifest list of a snapshot, and returns its key. */
export async function createMetadata(
  attempt: Attempt,
  what: 'manifest' | 'snapshot',
  body: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const key = `${TABLE_METADATA}${attempt.id}-${attempt.next()}-${what}.avro`;
  await createOwn(attempt, key, body, { httpMetadata: { contentType: 'application/avro' } });
  return key;
}
