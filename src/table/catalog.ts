/**
 * Where the table has its current metadata, and how the next take their place: here the bucket itself, by objects that
 * are created only if they are absent. Another catalog would be asked over HTTP; nothing else would change.
 */

import type { Clock } from '../storage/clock.ts';
import { create } from '../storage/create-object.ts';
import {
  readTable,
  type Table,
  type TableMetadata,
  tableVersionKey,
  VERSION_HINT_KEY,
} from '../storage/iceberg/table.ts';
import { swapState } from '../storage/state.ts';
import type { Bucket } from './tools.ts';

/** A catalog, for the one table. */
export interface Catalog {
  /** The current version; undefined when there is no table. */
  read(): Promise<Table | undefined>;
  /**
   * Puts metadata in the place of those that the version before has.
   *
   * @returns Undefined when another version was there first, and nothing has changed.
   * @throws When it is not known whether it was done; the same change on what is current then is safe.
   */
  commit(version: number, metadata: TableMetadata): Promise<Table | undefined>;
}

export function bucketCatalog(bucket: Pick<Bucket, 'list' | 'get' | 'put'>): Catalog {
  return {
    read: () => readTable(bucket),
    async commit(version, metadata) {
      const created = await create(bucket, tableVersionKey(version), JSON.stringify(metadata), {
        httpMetadata: { contentType: 'application/json' },
      });
      return created === null ? undefined : { version, metadata };
    },
  };
}

/** Tells readers that cannot list of a version, unless another run tells them at the same time. */
export async function writeVersionHint(
  bucket: Pick<Bucket, 'head' | 'put'>,
  { version }: Table,
  clock: Clock,
): Promise<void> {
  const hint = await bucket.head(VERSION_HINT_KEY);
  const before = { etag: hint?.etag, writtenAt: hint?.uploaded.getTime() ?? 0 };
  await swapState(bucket, VERSION_HINT_KEY, version, before, clock);
}
