/** Building the manifests of a snapshot that changes another. */

import {
  type DataFile,
  type ManifestEntry,
  type ManifestFile,
  STATUS,
  writeManifest,
} from '../storage/iceberg/manifest.ts';
import { type LiveEntry, type ManifestReader, mayHold } from '../storage/iceberg/snapshot.ts';
import { addressOf, type Snapshot } from '../storage/iceberg/table.ts';
import type { Change } from './change.ts';
import { type Attempt, createMetadata } from './tools.ts';

/**
 * Applies a change to the manifests of the parent snapshot: those that name removed files are rewritten, together with
 * some that name few files; the rest are reused.
 */
export async function manifestsWith(
  attempt: Attempt,
  parent: Snapshot | undefined,
  { add, remove }: Change,
  snapshotId: number,
  sequenceNumber: number,
): Promise<ManifestFile[]> {
  const { manifestEntries, manifestsMerged } = attempt.limits;
  const reader = attempt.manifests;
  const manifests = (await reader.list(parent)).filter((manifest) => filesIn(manifest) > 0);
  const touched = await manifestsOf(reader, manifests, remove);
  // An append merges only with the newest manifest, since every commit does it.
  const few = manifests
    .filter((manifest) => !touched.has(manifest) && filesIn(manifest) < manifestEntries)
    .slice(0, remove.length > 0 ? manifestsMerged : 1);
  if (add.length === 0 && remove.length === 0) return manifests;
  const removed = new Set(remove.map(({ file_path }) => file_path));
  const entries: ManifestEntry[] = add.map((data_file) => ({
    status: STATUS.added,
    snapshot_id: snapshotId,
    sequence_number: null,
    file_sequence_number: null,
    data_file,
  }));
  const before = (await reader.entries([...touched, ...few])).flat();
  entries.push(...before.map((entry) => entryAfter(entry, removed, snapshotId)));
  entries.sort((left, right) => dayOf(right) - dayOf(left));
  const written: ManifestFile[] = [];
  for (let at = 0; at < entries.length; at += manifestEntries) {
    const some = entries.slice(at, at + manifestEntries);
    written.push(await createManifest(attempt, some, snapshotId, sequenceNumber));
  }
  return [...written, ...manifests.filter((manifest) => !touched.has(manifest) && !few.includes(manifest))];
}

/** The manifests that name these files. */
async function manifestsOf(
  reader: ManifestReader,
  manifests: readonly ManifestFile[],
  files: readonly DataFile[],
): Promise<Set<ManifestFile>> {
  const wanted = new Set(files.map(({ file_path }) => file_path));
  const days = new Set(files.map(({ partition }) => partition.received_at_day));
  const ofDays = manifests.filter((manifest) => [...days].some((day) => mayHold(manifest, day)));
  const entries = await reader.entries(ofDays);
  return new Set(ofDays.filter((_, at) => entries[at]?.some(({ data_file }) => wanted.has(data_file.file_path))));
}

function entryAfter(entry: LiveEntry, removed: ReadonlySet<string>, snapshotId: number): ManifestEntry {
  const isRemoved = removed.has(entry.data_file.file_path);
  return isRemoved
    ? { ...entry, status: STATUS.deleted, snapshot_id: snapshotId }
    : { ...entry, status: STATUS.existing };
}

async function createManifest(
  attempt: Attempt,
  entries: readonly ManifestEntry[],
  snapshotId: number,
  sequenceNumber: number,
): Promise<ManifestFile> {
  const body = writeManifest(entries);
  const key = await createMetadata(attempt, 'manifest', body);
  const days = entries.map(dayOf);
  const count = (status: ManifestEntry['status']) => entries.filter((entry) => entry.status === status).length;
  const rows = (status: ManifestEntry['status']) =>
    entries.reduce((sum, entry) => sum + (entry.status === status ? entry.data_file.record_count : 0), 0);
  return {
    manifest_path: addressOf(attempt, key),
    manifest_length: body.byteLength,
    partition_spec_id: 0,
    content: 0,
    sequence_number: sequenceNumber,
    min_sequence_number: Math.min(...entries.map((entry) => entry.sequence_number ?? sequenceNumber)),
    added_snapshot_id: snapshotId,
    added_files_count: count(STATUS.added),
    existing_files_count: count(STATUS.existing),
    deleted_files_count: count(STATUS.deleted),
    added_rows_count: rows(STATUS.added),
    existing_rows_count: rows(STATUS.existing),
    deleted_rows_count: rows(STATUS.deleted),
    partitions: [
      {
        contains_null: false,
        contains_nan: false,
        lower_bound: date(Math.min(...days)),
        upper_bound: date(Math.max(...days)),
      },
    ],
  };
}

function filesIn(manifest: ManifestFile): number {
  return manifest.added_files_count + manifest.existing_files_count;
}

function dayOf({ data_file }: ManifestEntry): number {
  return data_file.partition.received_at_day;
}

function date(day: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setInt32(0, day, true);
  return bytes;
}
