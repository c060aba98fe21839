/** The table from outside the Worker: its current version, and the files that its snapshots name. */

import pMap from 'p-map';
import { readManifest, readManifestList, STATUS } from '../../storage/iceberg/manifest.ts';
import {
  keyOf,
  parseTable,
  type Snapshot,
  TABLE_METADATA,
  type Table,
  tableVersionIn,
  tableVersionKey,
} from '../../storage/iceberg/table.ts';
import type { ReadableStore } from '../object-store.ts';

/** Manifests are small; many at once make up for the time that each takes on its way. */
const READS = 16;

export interface TableFile {
  readonly key: string;
  readonly bytes: number;
  readonly rows: number;
  /** `YYYY-MM-DD`, in UTC, of `received_at` of all its rows. */
  readonly day: string;
}

/** The newest version of the table; undefined when there is no table. */
export async function readCurrentTable(store: Pick<ReadableStore, 'list' | 'get'>): Promise<Table | undefined> {
  for (;;) {
    let version = 0;
    for await (const { key } of store.list(`${TABLE_METADATA}v`)) version = Math.max(version, tableVersionIn(key) ?? 0);
    if (version === 0) return undefined;
    const body = await store.get(tableVersionKey(version));
    // One that is gone was deleted because newer ones have followed.
    if (body !== undefined) return parseTable(version, new TextDecoder().decode(body));
  }
}

/** Reads manifests, each once: they are never changed, and snapshots share most of them. */
export function createFileReader(
  store: Pick<ReadableStore, 'get'>,
  { metadata }: Table,
): (snapshot: Snapshot) => Promise<readonly TableFile[]> {
  const known = new Map<string, Promise<readonly TableFile[]>>();

  async function read(address: string): Promise<Uint8Array> {
    const key = keyOf(metadata, address);
    const body = await store.get(key);
    if (body !== undefined) return body;
    throw new Error(
      `Cannot read the table: a snapshot names ${key}, and it is not there; run the command again, since snapshots expire, and restore it if it still is not`,
    );
  }

  async function filesOf(path: string): Promise<readonly TableFile[]> {
    const entries = readManifest(await read(path));
    return entries
      .filter(({ status }) => status !== STATUS.deleted)
      .map(({ data_file: file }) => ({
        key: keyOf(metadata, file.file_path),
        bytes: file.file_size_in_bytes,
        rows: file.record_count,
        day: new Date(file.partition.received_at_day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length),
      }));
  }

  return async (snapshot) => {
    const manifests = readManifestList(await read(snapshot['manifest-list']));
    const files = await pMap(
      manifests,
      ({ manifest_path: path }) => {
        const reading = known.get(path) ?? filesOf(path);
        known.set(path, reading);
        return reading;
      },
      { concurrency: READS },
    );
    return files.flat();
  };
}

const DAY_MS = 86_400_000;
