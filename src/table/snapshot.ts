/** What a snapshot consists of: its manifests, and the data files that they name. */

import {
  type DataFile,
  type ManifestEntry,
  type ManifestFile,
  readManifest,
  readManifestList,
  STATUS,
} from '../storage/iceberg/manifest.ts';
import { keyOf, type Snapshot } from '../storage/iceberg/table.ts';

/** Reads manifests, each once a run: they are never changed. */
export interface ManifestReader {
  /** The manifests of a snapshot; none, when there is no snapshot. */
  list(snapshot: Snapshot | undefined): Promise<ManifestFile[]>;
  /** The entries of a manifest that are not deleted, with the sequence numbers that they inherit. */
  entries(manifest: ManifestFile): Promise<readonly LiveEntry[]>;
  files(snapshot: Snapshot | undefined, day?: number): Promise<DataFile[]>;
}

export type LiveEntry = ManifestEntry & { readonly sequence_number: number; readonly file_sequence_number: number };

export function createManifestReader(tools: {
  readonly bucket: Pick<R2Bucket, 'get'>;
  readonly location: string;
}): ManifestReader {
  const known = new Map<string, readonly LiveEntry[]>();

  async function read(address: string): Promise<Uint8Array> {
    const object = await tools.bucket.get(keyOf(tools, address));
    if (object === null)
      throw new Error(`Cannot read ${address}: a snapshot of the table names it, and it is not there`);
    return new Uint8Array(await object.arrayBuffer());
  }

  async function entries(manifest: ManifestFile): Promise<readonly LiveEntry[]> {
    const before = known.get(manifest.manifest_path);
    if (before !== undefined) return before;
    const live = readManifest(await read(manifest.manifest_path))
      .filter(({ status }) => status !== STATUS.deleted)
      .map((entry) => ({
        ...entry,
        sequence_number: entry.sequence_number ?? manifest.sequence_number,
        file_sequence_number: entry.file_sequence_number ?? manifest.sequence_number,
      }));
    known.set(manifest.manifest_path, live);
    return live;
  }

  async function list(snapshot: Snapshot | undefined): Promise<ManifestFile[]> {
    if (snapshot === undefined) return [];
    const manifests = readManifestList(await read(snapshot['manifest-list']));
    const named = new Set(manifests.map(({ manifest_path }) => manifest_path));
    // What no later snapshot names either.
    for (const path of known.keys()) if (!named.has(path)) known.delete(path);
    return manifests;
  }

  return {
    list,
    entries,
    async files(snapshot, day) {
      const files: DataFile[] = [];
      for (const manifest of await list(snapshot)) {
        if (day !== undefined && !mayHold(manifest, day)) continue;
        for (const { data_file } of await entries(manifest)) {
          if (day === undefined || data_file.partition.received_at_day === day) files.push(data_file);
        }
      }
      return files;
    },
  };
}

/**
 * Whether a manifest may name files of a day.
 *
 * @param day - Days since 1970.
 */
export function mayHold({ partitions }: ManifestFile, day: number): boolean {
  return partitions.every(({ lower_bound, upper_bound }) => dayOf(lower_bound) <= day && day <= dayOf(upper_bound));
}

function dayOf(bound: Uint8Array): number {
  return new DataView(bound.buffer, bound.byteOffset, bound.byteLength).getInt32(0, true);
}
