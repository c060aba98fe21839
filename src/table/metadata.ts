/** The metadata of a new table, and of the version that follows another. Pure. */

import { PARTITION_SPEC } from '../storage/iceberg/manifest.ts';
import { ICEBERG_SCHEMA, idOf, LAST_COLUMN_ID, SCHEMA_ID } from '../storage/iceberg/schema.ts';
import { addressOf, type Snapshot, type Table, type TableMetadata, tableVersionKey } from '../storage/iceberg/table.ts';
import type { TableLimits } from './limits.ts';
import { ERASES } from './summary.ts';

/** The sort order of the rows of a data file. */
const SORT_ORDER = {
  'order-id': 1,
  fields: ['property_id', 'reservation_id', 'event_id'].map((name) => ({
    transform: 'identity',
    'source-id': idOf(name),
    direction: 'asc',
    'null-order': 'nulls-first',
  })),
};

/** The table property that says how all data files show guests: the mark of createGuests(). */
export const GUESTS_PROPERTY = 'guest-columns';

/** The metadata of a table without rows. */
export function newTable(location: string, guests: string, now: number): TableMetadata {
  return {
    'format-version': 2,
    'table-uuid': crypto.randomUUID(),
    location,
    'last-sequence-number': 0,
    'last-updated-ms': now,
    'last-column-id': LAST_COLUMN_ID,
    'current-schema-id': SCHEMA_ID,
    schemas: [ICEBERG_SCHEMA],
    'default-spec-id': PARTITION_SPEC['spec-id'],
    'partition-specs': [PARTITION_SPEC],
    'last-partition-id': PARTITION_SPEC.fields[0]['field-id'],
    'default-sort-order-id': SORT_ORDER['order-id'],
    'sort-orders': [SORT_ORDER],
    properties: { [GUESTS_PROPERTY]: guests },
    refs: {},
    snapshots: [],
    'snapshot-log': [],
    'metadata-log': [],
  };
}

/** What changes from one version to the next. */
export interface MetadataChange {
  /** The snapshot that becomes current; undefined when none is added. */
  readonly snapshot: Snapshot | undefined;
  readonly properties: Readonly<Record<string, string>>;
}

/** The metadata that follow a version, without expired snapshots. */
export function nextMetadata(
  { version, metadata }: Table,
  { snapshot, properties }: MetadataChange,
  now: number,
  limits: Pick<TableLimits, 'snapshotMs' | 'snapshots' | 'erasedMs' | 'versions'>,
): TableMetadata {
  const updated = timeAfter(metadata, now);
  const snapshots = kept(snapshot === undefined ? metadata.snapshots : [...metadata.snapshots, snapshot], now, limits);
  const current = snapshots.at(-1)?.['snapshot-id'];
  const ids = new Set(snapshots.map((one) => one['snapshot-id']));
  const log = [
    ...metadata['snapshot-log'],
    ...(snapshot === undefined ? [] : [{ 'snapshot-id': snapshot['snapshot-id'], 'timestamp-ms': updated }]),
  ];
  const versions = [
    ...metadata['metadata-log'],
    { 'metadata-file': addressOf(metadata, tableVersionKey(version)), 'timestamp-ms': metadata['last-updated-ms'] },
  ];
  const knows = metadata.schemas.some((schema) => schema['schema-id'] === SCHEMA_ID);
  return {
    ...metadata,
    'last-updated-ms': updated,
    'last-sequence-number': snapshot?.['sequence-number'] ?? metadata['last-sequence-number'],
    // After a rollback there are columns that this version of the code does not know.
    'last-column-id': Math.max(metadata['last-column-id'], LAST_COLUMN_ID),
    'current-schema-id': SCHEMA_ID,
    schemas: knows ? metadata.schemas : [...metadata.schemas, ICEBERG_SCHEMA],
    properties: { ...metadata.properties, ...properties },
    ...(current !== undefined && {
      'current-snapshot-id': current,
      refs: { main: { 'snapshot-id': current, type: 'branch' } },
    }),
    snapshots,
    'snapshot-log': log.filter((entry) => ids.has(entry['snapshot-id'])),
    // Versions from before the oldest snapshot show expired ones, and are dropped with them.
    'metadata-log': versions
      .slice(-limits.versions)
      .filter((entry) => entry['timestamp-ms'] >= (snapshots[0]?.['timestamp-ms'] ?? 0)),
  };
}

/** A time for the next version: times increase from version to version, whatever the clocks say. */
export function timeAfter(metadata: TableMetadata, now: number): number {
  return Math.max(now, metadata['last-updated-ms'] + 1);
}

/**
 * The snapshots that are kept: those of the last day, and a minimum number; but none from before an erasure once the
 * queries that may have read them have ended.
 */
export function kept(
  snapshots: readonly Snapshot[],
  now: number,
  limits: Pick<TableLimits, 'snapshotMs' | 'snapshots' | 'erasedMs'>,
): Snapshot[] {
  const erased = lastErasure(snapshots, now, limits);
  return snapshots.filter(
    (snapshot, at) =>
      at >= erased && (at >= snapshots.length - limits.snapshots || snapshot['timestamp-ms'] + limits.snapshotMs > now),
  );
}

/** Whether there are snapshots that show erased rows and no query can still be reading them. */
export function isErasureOver(
  snapshots: readonly Snapshot[],
  now: number,
  limits: Pick<TableLimits, 'erasedMs'>,
): boolean {
  return lastErasure(snapshots, now, limits) > 0;
}

function lastErasure(snapshots: readonly Snapshot[], now: number, { erasedMs }: Pick<TableLimits, 'erasedMs'>): number {
  return snapshots.findLastIndex(
    (snapshot) => ERASES in snapshot.summary && snapshot['timestamp-ms'] + erasedMs <= now,
  );
}
