/**
 * Where the current metadata of the table are found, and how the next version replaces them: here in the bucket itself,
 * by creating objects only if absent. Another catalog would be called over HTTP; nothing else would change.
 */

import type { Bucket } from '../storage/bucket.ts';
import { create } from '../storage/create-object.ts';
import { readTable, type Table, type TableMetadata, tableVersionKey } from '../storage/iceberg/table.ts';

/** A catalog of the one table. */
export interface Catalog {
  /** The current version; undefined when there is no table. */
  read(): Promise<Table | undefined>;
  /**
   * Creates a version of the metadata, which makes it the current one.
   *
   * @returns Undefined when another run created that version first and nothing has changed.
   * @throws When it is unknown whether it was created; it is safe to apply the change again to the current version.
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
