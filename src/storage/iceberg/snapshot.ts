/** The content of a snapshot: its manifests, and the data files that they name. */

import { type ReadableBucket, readInOrder } from '../read-in-order.ts';
import {
  type DataFile,
  type ManifestEntry,
  type ManifestFile,
  readManifest,
  readManifestList,
  STATUS,
} from './manifest.ts';
import { keyOf, type Snapshot } from './table.ts';

/** Reads manifests, each once per run: they are never changed. */
export interface ManifestReader {
  /** The manifests of a snapshot; empty when there is no snapshot. */
  list(snapshot: Snapshot | undefined): Promise<ManifestFile[]>;
  /** The entries of each manifest that are not deleted, with their inherited sequence numbers. */
  entries(manifests: readonly ManifestFile[]): Promise<readonly (readonly LiveEntry[])[]>;
  files(snapshot: Snapshot | undefined, day?: number): Promise<DataFile[]>;
}

/** How many manifests, of 40 kB each, are read at once; R2 gives an invocation six connections. */
const READ = { readsAhead: 5, readAheadBytes: 1_048_576 };

export type LiveEntry = ManifestEntry & { readonly sequence_number: number; readonly file_sequence_number: number };

export function createManifestReader(tools: {
  readonly bucket: ReadableBucket;
  readonly location: string;
}): ManifestReader {
  const known = new Map<string, readonly LiveEntry[]>();

  async function entries(manifests: readonly ManifestFile[]): Promise<readonly (readonly LiveEntry[])[]> {
    const unknown = new Map(
      manifests.filter((one) => !known.has(one.manifest_path)).map((one) => [keyOf(tools, one.manifest_path), one]),
    );
    const sources = [...unknown].map(([key, { manifest_length }]) => ({ key, bytes: manifest_length }));
    for await (const { key, body } of readInOrder(tools.bucket, sources, READ)) {
      const manifest = unknown.get(key);
      if (manifest !== undefined) known.set(manifest.manifest_path, liveEntries(manifest, found(body, key)));
    }
    return manifests.map(({ manifest_path }) => known.get(manifest_path) ?? []);
  }

  async function list(snapshot: Snapshot | undefined): Promise<ManifestFile[]> {
    if (snapshot === undefined) return [];
    const key = keyOf(tools, snapshot['manifest-list']);
    const object = await tools.bucket.get(key);
    const manifests = readManifestList(new Uint8Array(found(await object?.arrayBuffer(), key)));
    const named = new Set(manifests.map(({ manifest_path }) => manifest_path));
    // No later snapshot names these either.
    for (const path of known.keys()) if (!named.has(path)) known.delete(path);
    return manifests;
  }

  return {
    list,
    entries,
    async files(snapshot, day) {
      const manifests = (await list(snapshot)).filter((manifest) => day === undefined || mayHold(manifest, day));
      const files = (await entries(manifests)).flatMap((some) => some.map(({ data_file }) => data_file));
      return day === undefined ? files : files.filter(({ partition }) => partition.received_at_day === day);
    },
  };
}

function liveEntries(manifest: ManifestFile, body: Uint8Array): readonly LiveEntry[] {
  return readManifest(body)
    .filter(({ status }) => status !== STATUS.deleted)
    .map((entry) => ({
      ...entry,
      sequence_number: entry.sequence_number ?? manifest.sequence_number,
      file_sequence_number: entry.file_sequence_number ?? manifest.sequence_number,
    }));
}

function found<Body>(body: Body | undefined, key: string): Body {
  if (body === undefined) throw new Error(`Cannot read ${key}: a snapshot of the table names it, and it is not there`);
  return body;
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
