/** Reads the table from outside the Worker: its current version, and the files that its snapshots name. */

import { createManifestReader } from '../../storage/iceberg/snapshot.ts';
import {
  keyOf,
  parseTable,
  type Snapshot,
  TABLE_METADATA,
  type Table,
  tableVersionIn,
  tableVersionKey,
} from '../../storage/iceberg/table.ts';
import { DAY_MS } from '../../storage/keys.ts';
import type { ReadableStore } from '../object-store.ts';

/** A data file of the table. */
export type TableFile = Awaited<ReturnType<ReturnType<typeof createFileReader>>>[number];

/** Reads the newest version of the table; undefined if there is no table. */
export async function readCurrentTable(store: Pick<ReadableStore, 'list' | 'get'>): Promise<Table | undefined> {
  for (;;) {
    let version = 0;
    for await (const { key } of store.list(`${TABLE_METADATA}v`)) version = Math.max(version, tableVersionIn(key) ?? 0);
    if (version === 0) return undefined;
    const body = await store.get(tableVersionKey(version));
    // A missing version was deleted because newer ones followed.
    if (body !== undefined) return parseTable(version, new TextDecoder().decode(body));
  }
}

/** Creates a function that reads which files a snapshot names. Snapshots share manifests, so each is read once. */
export function createFileReader(store: Pick<ReadableStore, 'get'>, { metadata }: Table) {
  const { location } = metadata;
  const manifests = createManifestReader({ bucket: { get }, location });

  async function get(key: string): Promise<Response> {
    const body = await store.get(key);
    if (body !== undefined) return new Response(body);
    throw new Error(
      `Cannot read the table: a snapshot names ${key}, and it is not there; run the command again, since snapshots expire, and restore it if it still is not`,
    );
  }

  return async (snapshot: Snapshot) =>
    (await manifests.files(snapshot)).map((file) => ({
      key: keyOf(metadata, file.file_path),
      bytes: file.file_size_in_bytes,
      rows: file.record_count,
      /** UTC date, `YYYY-MM-DD`, of `received_at` in all its rows. */
      day: new Date(file.partition.received_at_day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length),
    }));
}
