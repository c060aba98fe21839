/** Deleting objects that no snapshot of the table names: those of expired snapshots and of failed attempts. */

import { createManifestReader } from '../storage/iceberg/snapshot.ts';
import {
  keyOf,
  logSequenceOf,
  type Snapshot,
  TABLE_DATA,
  TABLE_METADATA,
  tableVersionIn,
} from '../storage/iceberg/table.ts';
import { deleteAll, listAll } from '../storage/many-objects.ts';
import type { TableRun } from '../storage/table-run.ts';
import type { Catalog } from './catalog.ts';
import { attemptIn } from './data-file-key.ts';
import { ERASES } from './summary.ts';
import type { TableTools } from './tools.ts';

/** What the previous run recorded. */
export type Left = Pick<TableRun, 'tidied_at' | 'replaced_through'>;

/** What this run records. */
export interface Swept extends Left {
  readonly deleted: number;
}

/**
 * Deletes unreferenced objects. Snapshots follow one another, and a file that one of them dropped never comes back. So
 * whatever any of them names is named by the oldest, or was created by the attempt that made one of the others.
 *
 * @param replacedBefore - The `replaced_through` that the previous run recorded.
 */
export async function sweep(tools: TableTools, catalog: Catalog, replacedBefore: number): Promise<Swept> {
  const { bucket, limits, clock } = tools;
  // Listed before the table is read: an old listed object is either referenced by then or never will be.
  const listed = [
    ...(await Array.fromAsync(listAll(bucket, { prefix: TABLE_DATA }))),
    ...(await Array.fromAsync(listAll(bucket, { prefix: TABLE_METADATA }))),
  ];
  const table = await catalog.read();
  if (table === undefined) return { tidied_at: null, replaced_through: replacedBefore, deleted: 0 };
  const { location } = table.metadata;
  const [oldest, ...newer] = table.metadata.snapshots;
  const named = await keysOf({ bucket, location }, oldest);
  const attempts = new Set(newer.map((snapshot) => attemptIn(keyOf({ location }, snapshot['manifest-list']))));
  const old = (object: R2Object, ms: number) => object.uploaded.getTime() + ms <= clock.now();
  const versions = new Set(table.metadata['metadata-log'].map((entry) => keyOf({ location }, entry['metadata-file'])));
  const formerVersions = listed.filter((object) => {
    const version = tableVersionIn(object.key);
    return (
      version !== undefined && version < table.version && old(object, limits.versionMs) && !versions.has(object.key)
    );
  });
  const unnamed = listed.filter(({ key }) => {
    const attempt = attemptIn(key);
    return attempt !== undefined && !attempts.has(attempt) && !named.has(key);
  });
  const [gone = [], young = []] = [true, false].map((isOld) =>
    unnamed.filter((object) => old(object, limits.attemptMs) === isOld),
  );
  const keys = [...gone, ...formerVersions].map(({ key }) => key);
  await deleteAll(bucket, keys);
  // While another run may still need some of these, the next run looks again.
  if (young.length > 0) return { tidied_at: null, replaced_through: replacedBefore, deleted: keys.length };
  return {
    tidied_at: new Date(clock.now()).toISOString(),
    replaced_through: Math.max(replacedBefore, replacedThrough(table.metadata.snapshots)),
    deleted: keys.length,
  };
}

/**
 * The last log entry up to which no snapshot shows replaced rows. The oldest snapshot reflects all entries before it;
 * later entries have replaced nothing in it as long as no further snapshot erases.
 */
function replacedThrough(snapshots: readonly Snapshot[]): number {
  const next = snapshots.findIndex((snapshot, at) => at > 0 && ERASES in snapshot.summary);
  return logSequenceOf(snapshots.at(next === -1 ? -1 : next - 1));
}

/** The keys of all objects that a snapshot names, and of its manifest list. */
async function keysOf(
  tools: Pick<TableTools, 'bucket' | 'location'>,
  snapshot: Snapshot | undefined,
): Promise<Set<string>> {
  if (snapshot === undefined) return new Set();
  const reader = createManifestReader(tools);
  const addresses = [
    snapshot['manifest-list'],
    ...(await reader.list(snapshot)).map(({ manifest_path }) => manifest_path),
    ...(await reader.files(snapshot)).map(({ file_path }) => file_path),
  ];
  return new Set(addresses.map((address) => keyOf(tools, address)));
}
