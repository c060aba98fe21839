/** The metadata of the table, `iceberg/events/metadata/v<N>.metadata.json` (Iceberg table spec, Table Metadata). */

import * as v from 'valibot';
import { wholeNumber } from '../../contract/kinds.ts';
import { listAll } from '../many-objects.ts';

/** Prefix of all objects of the table. */
const TABLE_PREFIX = 'iceberg/events/';

/** Prefix of its data files. */
export const TABLE_DATA = `${TABLE_PREFIX}data/`;

/** Prefix of its metadata: the metadata file of each version, manifest lists and manifests. */
export const TABLE_METADATA = `${TABLE_PREFIX}metadata/`;

/** The newest version, for readers that cannot list. It is a hint: it may be stale or missing. */
export const VERSION_HINT_KEY = `${TABLE_METADATA}version-hint.text`;

const VERSION_KEY = /^iceberg\/events\/metadata\/v([1-9]\d*)\.metadata\.json$/;

/** The key of the metadata file of a version, counted from 1. */
export function tableVersionKey(version: number): string {
  return `${TABLE_METADATA}v${version}.metadata.json`;
}

/** The version of a metadata file, by its key; undefined for any other object. */
export function tableVersionIn(key: string): number | undefined {
  const digits = VERSION_KEY.exec(key)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * A snapshot. The format allows 64-bit identifiers; those of this service stay below 2^52, so that a JavaScript number
 * and its JSON hold them exactly.
 */
const SnapshotSchema = v.looseObject({
  'snapshot-id': wholeNumber,
  'parent-snapshot-id': v.optional(wholeNumber),
  'sequence-number': wholeNumber,
  'timestamp-ms': wholeNumber,
  'manifest-list': v.string(),
  'schema-id': wholeNumber,
  summary: v.objectWithRest({ operation: v.picklist(['append', 'replace', 'overwrite']) }, v.string()),
});

export type Snapshot = v.InferOutput<typeof SnapshotSchema>;

const TableMetadataSchema = v.looseObject({
  'format-version': v.literal(2),
  'table-uuid': v.string(),
  /** For example `s3://bucket/iceberg/events`. */
  location: v.string(),
  'last-sequence-number': wholeNumber,
  'last-updated-ms': wholeNumber,
  'last-column-id': wholeNumber,
  'current-schema-id': wholeNumber,
  schemas: v.array(v.looseObject({ 'schema-id': wholeNumber })),
  properties: v.record(v.string(), v.string()),
  /** Absent while the table has no snapshot. */
  'current-snapshot-id': v.optional(wholeNumber),
  /** Oldest first; the current one is last. */
  snapshots: v.array(SnapshotSchema),
  'snapshot-log': v.array(v.object({ 'snapshot-id': wholeNumber, 'timestamp-ms': wholeNumber })),
  'metadata-log': v.array(v.object({ 'metadata-file': v.string(), 'timestamp-ms': wholeNumber })),
});

export type TableMetadata = v.InferOutput<typeof TableMetadataSchema>;

/** A version of the table. */
export interface Table {
  /** The N of `v<N>.metadata.json`. */
  readonly version: number;
  readonly metadata: TableMetadata;
}

/**
 * Reads the newest version of the table. It is found by listing, which is strongly consistent in R2, and not through
 * `version-hint.text`.
 *
 * @returns Undefined when there is no table.
 * @throws When its metadata were not written by this service.
 */
export async function readTable(bucket: Pick<R2Bucket, 'list' | 'get'>): Promise<Table | undefined> {
  for (;;) {
    const version = await newestVersion(bucket);
    if (version === 0) return undefined;
    const key = tableVersionKey(version);
    const object = await bucket.get(key);
    // A version is deleted only after newer ones exist, so the listing is stale and has to be repeated.
    if (object === null) continue;
    return parseTable(version, await object.text());
  }
}

/**
 * Parses the metadata file of a version.
 *
 * @throws When this service did not write it.
 */
export function parseTable(version: number, text: string): Table {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), TableMetadataSchema), text);
  if (parsed.success) return { version, metadata: parsed.output };
  throw new Error(`Cannot read ${tableVersionKey(version)}: it is not what this service writes there; restore it`);
}

/** The current snapshot; undefined before the first. */
export function currentSnapshot({ metadata }: Pick<Table, 'metadata'>): Snapshot | undefined {
  return metadata.snapshots.find((snapshot) => snapshot['snapshot-id'] === metadata['current-snapshot-id']);
}

/** The last sequence of `events/v1/_log/` that a snapshot reflects; 0 before the first. */
export function logSequenceOf(snapshot: Snapshot | undefined): number {
  return Number(snapshot?.summary['log-sequence'] ?? 0);
}

/** The address of an object of the table, as written in its metadata. */
export function addressOf({ location }: Pick<TableMetadata, 'location'>, key: string): string {
  return `${location}/${key.slice(TABLE_PREFIX.length)}`;
}

/**
 * The key of an object, by its address.
 *
 * @throws When the address is outside the table.
 */
export function keyOf({ location }: Pick<TableMetadata, 'location'>, address: string): string {
  if (!address.startsWith(`${location}/`)) throw new Error(`Cannot find ${address}: the table lies in ${location}`);
  return TABLE_PREFIX + address.slice(location.length + 1);
}

/** The newest version, 0 when there is none. Keys do not sort by version number; there are some hundred. */
async function newestVersion(bucket: Pick<R2Bucket, 'list'>): Promise<number> {
  let newest = 0;
  for await (const { key } of listAll(bucket, { prefix: `${TABLE_METADATA}v` })) {
    newest = Math.max(newest, tableVersionIn(key) ?? 0);
  }
  return newest;
}
