/** What no snapshot of the table names: the objects of snapshots that are over, and of attempts that came to nothing. */

import { keyOf, type Snapshot, TABLE_DATA, TABLE_METADATA, tableVersionIn } from '../storage/iceberg/table.ts';
import { listAll } from '../storage/list-all.ts';
import type { Catalog } from './catalog.ts';
import { attemptIn } from './data-file-key.ts';
import { createManifestReader } from './snapshot.ts';
import type { Tools } from './tools.ts';

/** Keys that R2 deletes in one call (R2, Workers API). */
const DELETED_AT_ONCE = 1_000;

export interface Swept {
  readonly deleted: number;
  readonly snapshots: readonly Snapshot[];
  /** Whether nothing is left from before the oldest snapshot. Something may be that is wanted by another run. */
  readonly isAll: boolean;
}

/**
 * Deletes it. Snapshots follow one another, and a file that one of them has dropped never comes back. So what is named
 * by any of them is named by the oldest, or was created by the attempt at one of the others.
 *
 * @returns Undefined when there is no table.
 */
export async function sweep(tools: Tools, catalog: Catalog): Promise<Swept | undefined> {
  const { bucket, limits } = tools;
  // Listed before the table is read: what is listed and old is named by the table then, or never will be.
  const listed = [
    ...(await Array.fromAsync(listAll(bucket, { prefix: TABLE_DATA }))),
    ...(await Array.fromAsync(listAll(bucket, { prefix: TABLE_METADATA }))),
  ];
  const table = await catalog.read();
  if (table === undefined) return undefined;
  const [oldest, ...newer] = table.metadata.snapshots;
  const named = await keysOf(tools, oldest);
  const attempts = new Set(newer.map((snapshot) => attemptIn(keyOf(tools, snapshot['manifest-list']))));
  const old = (object: R2Object, ms: number) => object.uploaded.getTime() + ms <= tools.clock.now();
  const versions = new Set(table.metadata['metadata-log'].map((entry) => keyOf(tools, entry['metadata-file'])));
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
  for (let at = 0; at < keys.length; at += DELETED_AT_ONCE) await bucket.delete(keys.slice(at, at + DELETED_AT_ONCE));
  return { deleted: keys.length, snapshots: table.metadata.snapshots, isAll: young.length === 0 };
}

/** All objects that a snapshot names, and its manifest list. */
async function keysOf(tools: Tools, snapshot: Snapshot | undefined): Promise<Set<string>> {
  if (snapshot === undefined) return new Set();
  const reader = createManifestReader(tools);
  const addresses = [
    snapshot['manifest-list'],
    ...(await reader.list(snapshot)).map(({ manifest_path }) => manifest_path),
    ...(await reader.files(snapshot)).map(({ file_path }) => file_path),
  ];
  return new Set(addresses.map((address) => keyOf(tools, address)));
}
