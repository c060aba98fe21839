/** One change of the table: manifests, a manifest list and the next version of the metadata, or nothing of it. */

import { writeManifestList } from '../storage/iceberg/manifest.ts';
import { SCHEMA_ID } from '../storage/iceberg/schema.ts';
import { addressOf, currentSnapshot, logSequenceOf, type Snapshot, type Table } from '../storage/iceberg/table.ts';
import type { Catalog } from './catalog.ts';
import type { Change } from './change.ts';
import { manifestsWith } from './change-manifests.ts';
import { nextMetadata, timeAfter } from './metadata.ts';
import { summaryOf } from './summary.ts';
import { type Attempt, createMetadata } from './tools.ts';

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
  const parentId = parent?.['snapshot-id'];
  const list = writeManifestList(manifests, { id, parent: parentId, sequenceNumber });
  const key = await createMetadata(attempt, 'snapshot', list);
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
