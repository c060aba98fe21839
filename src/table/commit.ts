/** One change of the table: manifests, a manifest list and the next version of the metadata, or nothing of it. */

import {
  type DataFile,
  type ManifestEntry,
  type ManifestFile,
  STATUS,
  writeManifest,
  writeManifestList,
} from '../storage/iceberg/manifest.ts';
import { SCHEMA_ID } from '../storage/iceberg/schema.ts';
import { addressOf, currentSnapshot, logSequenceOf, type Snapshot, type Table } from '../storage/iceberg/table.ts';
import type { Catalog } from './catalog.ts';
import { ERASES, nextMetadata, timeAfter } from './metadata.ts';
import { type LiveEntry, type ManifestReader, mayHold } from './snapshot.ts';
import { type Attempt, createOwn, metadataKey } from './tools.ts';

export interface Change {
  /** `append`: new rows. `replace`: the same rows in other files. `overwrite`: other rows. */
  readonly operation: Snapshot['summary']['operation'];
  readonly add: readonly DataFile[];
  readonly remove: readonly DataFile[];
  /** How far the table follows the log of parts with it; undefined when as far as before. */
  readonly log?: { readonly from: number; readonly through: number };
  /** Up to when the rows are complete, when that changes; `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  readonly completeThrough?: string | undefined;
  /** Whether the snapshots before show what is erased or hidden now. */
  readonly erases?: boolean;
  readonly properties?: Readonly<Record<string, string>>;
}

const AVRO = { httpMetadata: { contentType: 'application/avro' } };

/** How often a change is tried that others come before. */
const TRIES = 5;

/**
 * Changes the table. When another version came first, the change is made on that, as long as it still holds: the files
 * that it removes are there, and the log was followed no further.
 *
 * @returns Undefined when the change does not hold any more, and nothing has changed.
 */
export async function commitChange(
  catalog: Catalog,
  attempt: Attempt,
  planned: Table,
  change: Change,
): Promise<Table | undefined> {
  let table: Table | undefined = planned;
  for (let tries = 0; tries < TRIES && table !== undefined; tries++) {
    if (change.log !== undefined && logSequenceOf(currentSnapshot(table)) !== change.log.from) return undefined;
    const snapshot = await createSnapshot(attempt, table, change);
    if (snapshot === undefined) return undefined;
    const metadata = nextMetadata(
      table,
      { snapshot, properties: change.properties ?? {} },
      attempt.clock.now(),
      attempt.limits,
    );
    const committed = await catalog.commit(table.version + 1, metadata);
    if (committed !== undefined) return committed;
    table = await catalog.read();
  }
  return undefined;
}

/** Creates the objects of a snapshot. */
async function createSnapshot(attempt: Attempt, table: Table, change: Change): Promise<Snapshot | undefined> {
  const parent = currentSnapshot(table);
  const id = newSnapshotId();
  const sequenceNumber = table.metadata['last-sequence-number'] + 1;
  const manifests = await manifestsWith(attempt, parent, change, id, sequenceNumber);
  if (manifests === undefined) return undefined;
  const key = metadataKey(attempt, 'snapshot');
  const parentId = parent?.['snapshot-id'];
  const list = writeManifestList(manifests, { id, parent: parentId, sequenceNumber });
  await createOwn(attempt, key, list, AVRO);
  return {
    'snapshot-id': id,
    ...(parentId !== undefined && { 'parent-snapshot-id': parentId }),
    'sequence-number': sequenceNumber,
    'timestamp-ms': timeAfter(table.metadata, attempt.clock.now()),
    'manifest-list': addressOf(attempt, key),
    'schema-id': SCHEMA_ID,
    summary: summaryOf(parent, change),
  };
}

/** Below 2^52: any long would do, and JSON of JavaScript holds these as they are. */
function newSnapshotId(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high % 2 ** 20) * 2 ** 32 + low;
}

/**
 * The manifests of the parent with the change made in them: those that name what is removed are written anew, and with
 * them some that name few files; the rest stay as they are.
 *
 * @returns Undefined when a file that is to be removed is not there.
 */
async function manifestsWith(
  attempt: Attempt,
  parent: Snapshot | undefined,
  { add, remove }: Change,
  snapshotId: number,
  sequenceNumber: number,
): Promise<ManifestFile[] | undefined> {
  const { manifestEntries, manifestsMerged } = attempt.limits;
  const reader = attempt.manifests;
  const manifests = (await reader.list(parent)).filter((manifest) => filesIn(manifest) > 0);
  const touched = await manifestsOf(reader, manifests, remove);
  if (touched === undefined) return undefined;
  // Appending joins the newest manifest only, since every commit does it.
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
  for (const manifest of [...touched, ...few]) {
    for (const entry of await reader.entries(manifest)) entries.push(entryAfter(entry, removed, snapshotId));
  }
  entries.sort((left, right) => dayOf(right) - dayOf(left));
  const written: ManifestFile[] = [];
  for (let at = 0; at < entries.length; at += manifestEntries) {
    const some = entries.slice(at, at + manifestEntries);
    written.push(await createManifest(attempt, some, snapshotId, sequenceNumber));
  }
  return [...written, ...manifests.filter((manifest) => !touched.has(manifest) && !few.includes(manifest))];
}

/** The manifests that name files; undefined when one of the files is named by none. */
async function manifestsOf(
  reader: ManifestReader,
  manifests: readonly ManifestFile[],
  files: readonly DataFile[],
): Promise<Set<ManifestFile> | undefined> {
  const wanted = new Set(files.map(({ file_path }) => file_path));
  const days = new Set(files.map(({ partition }) => partition.received_at_day));
  const found = new Set<ManifestFile>();
  for (const manifest of manifests) {
    if (![...days].some((day) => mayHold(manifest, day))) continue;
    for (const { data_file } of await reader.entries(manifest)) {
      if (wanted.delete(data_file.file_path)) found.add(manifest);
    }
  }
  return wanted.size === 0 ? found : undefined;
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
  const key = metadataKey(attempt, 'manifest');
  const body = writeManifest(entries);
  await createOwn(attempt, key, body, AVRO);
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

/** What a snapshot says of itself (Iceberg table spec, Snapshots, and the optional fields of a summary). */
function summaryOf(parent: Snapshot | undefined, change: Change): Snapshot['summary'] {
  const before = (name: string) => Number(parent?.summary[name] ?? 0);
  const sums = (files: readonly DataFile[]) => ({
    files: files.length,
    rows: files.reduce((sum, file) => sum + file.record_count, 0),
    bytes: files.reduce((sum, file) => sum + file.file_size_in_bytes, 0),
  });
  const [added, deleted] = [sums(change.add), sums(change.remove)];
  const completeThrough = change.completeThrough ?? parent?.summary['complete-through'];
  const numbers = {
    'added-data-files': added.files,
    'deleted-data-files': deleted.files,
    'added-records': added.rows,
    'deleted-records': deleted.rows,
    'total-data-files': before('total-data-files') + added.files - deleted.files,
    'total-records': before('total-records') + added.rows - deleted.rows,
    'total-files-size': before('total-files-size') + added.bytes - deleted.bytes,
    'total-delete-files': 0,
    'total-position-deletes': 0,
    'total-equality-deletes': 0,
    'log-sequence': change.log?.through ?? logSequenceOf(parent),
  };
  return {
    operation: change.operation,
    ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)])),
    ...(completeThrough !== undefined && { 'complete-through': completeThrough }),
    ...(change.erases === true && { [ERASES]: 'true' }),
  };
}
