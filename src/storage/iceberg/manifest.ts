/**
 * Manifests, which list the data files of a table, and manifest lists, which list the manifests of a snapshot (Iceberg
 * table spec, Manifests and Manifest Lists, version 2). Pure.
 */

import { type AvroRecord, type AvroType, readAvro, writeAvro } from './avro.ts';
import { ICEBERG_SCHEMA, idOf, SCHEMA_ID } from './schema.ts';

/** The partition spec of the table: the day of `received_at`. */
export const PARTITION_SPEC = {
  'spec-id': 0,
  fields: [{ name: 'received_at_day', transform: 'day', 'source-id': idOf('received_at'), 'field-id': 1_000 }],
} as const;

/** An entry of a map by column: `key` is the field id. */
export interface OfColumn<Value> {
  readonly key: number;
  readonly value: Value;
}

export interface DataFile {
  readonly content: 0;
  readonly file_path: string;
  readonly file_format: 'PARQUET';
  /** Days since 1970. */
  readonly partition: { readonly received_at_day: number };
  readonly record_count: number;
  readonly file_size_in_bytes: number;
  readonly null_value_counts: readonly OfColumn<number>[];
  readonly lower_bounds: readonly OfColumn<Uint8Array>[];
  readonly upper_bounds: readonly OfColumn<Uint8Array>[];
  readonly sort_order_id: number;
}

/** The status of a data file in a manifest entry. */
export const STATUS = { existing: 0, added: 1, deleted: 2 } as const;

export interface ManifestEntry {
  readonly status: (typeof STATUS)[keyof typeof STATUS];
  /** The snapshot that added or deleted the file. */
  readonly snapshot_id: number;
  /** Null for an added file, which inherits the sequence number of the manifest. */
  readonly sequence_number: number | null;
  readonly file_sequence_number: number | null;
  readonly data_file: DataFile;
}

/** A manifest, as an entry of a manifest list. */
export interface ManifestFile {
  readonly manifest_path: string;
  readonly manifest_length: number;
  readonly partition_spec_id: 0;
  readonly content: 0;
  readonly sequence_number: number;
  readonly min_sequence_number: number;
  readonly added_snapshot_id: number;
  readonly added_files_count: number;
  readonly existing_files_count: number;
  readonly deleted_files_count: number;
  readonly added_rows_count: number;
  readonly existing_rows_count: number;
  readonly deleted_rows_count: number;
  /** Exactly one, the day: a date in four bytes, little-endian. */
  readonly partitions: readonly {
    readonly contains_null: boolean;
    readonly contains_nan: boolean | null;
    readonly lower_bound: Uint8Array;
    readonly upper_bound: Uint8Array;
  }[];
}

const field = (id: number, name: string, type: AvroType) => ({ name, type, 'field-id': id });
const optional = (id: number, name: string, type: AvroType) => ({
  ...field(id, name, ['null', type]),
  default: null,
});

/** A map by column: an array of pairs, since the keys of Avro maps are strings. */
function byColumn(id: number, name: string, keyId: number, valueId: number, value: AvroType) {
  const pair: AvroRecord = {
    type: 'record',
    name: `k${keyId}_v${valueId}`,
    fields: [field(keyId, 'key', 'int'), field(valueId, 'value', value)],
  };
  return optional(id, name, { type: 'array', items: pair, logicalType: 'map' });
}

const [DAY] = PARTITION_SPEC.fields;

const ENTRY: AvroRecord = {
  type: 'record',
  name: 'manifest_entry',
  fields: [
    field(0, 'status', 'int'),
    optional(1, 'snapshot_id', 'long'),
    optional(3, 'sequence_number', 'long'),
    optional(4, 'file_sequence_number', 'long'),
    field(2, 'data_file', {
      type: 'record',
      name: 'r2',
      fields: [
        field(134, 'content', 'int'),
        field(100, 'file_path', 'string'),
        field(101, 'file_format', 'string'),
        field(102, 'partition', {
          type: 'record',
          name: 'r102',
          fields: [optional(DAY['field-id'], DAY.name, { type: 'int', logicalType: 'date' })],
        }),
        field(103, 'record_count', 'long'),
        field(104, 'file_size_in_bytes', 'long'),
        byColumn(110, 'null_value_counts', 121, 122, 'long'),
        byColumn(125, 'lower_bounds', 126, 127, 'bytes'),
        byColumn(128, 'upper_bounds', 129, 130, 'bytes'),
        optional(140, 'sort_order_id', 'int'),
      ],
    }),
  ],
};

const LIST: AvroRecord = {
  type: 'record',
  name: 'manifest_file',
  fields: [
    field(500, 'manifest_path', 'string'),
    field(501, 'manifest_length', 'long'),
    field(502, 'partition_spec_id', 'int'),
    field(517, 'content', 'int'),
    field(515, 'sequence_number', 'long'),
    field(516, 'min_sequence_number', 'long'),
    field(503, 'added_snapshot_id', 'long'),
    field(504, 'added_files_count', 'int'),
    field(505, 'existing_files_count', 'int'),
    field(506, 'deleted_files_count', 'int'),
    field(512, 'added_rows_count', 'long'),
    field(513, 'existing_rows_count', 'long'),
    field(514, 'deleted_rows_count', 'long'),
    optional(507, 'partitions', {
      type: 'array',
      items: {
        type: 'record',
        name: 'r508',
        fields: [
          field(509, 'contains_null', 'boolean'),
          optional(518, 'contains_nan', 'boolean'),
          optional(510, 'lower_bound', 'bytes'),
          optional(511, 'upper_bound', 'bytes'),
        ],
      },
      'element-id': 508,
    }),
  ],
};

export function writeManifest(entries: readonly ManifestEntry[]): Uint8Array<ArrayBuffer> {
  const metadata = {
    schema: JSON.stringify(ICEBERG_SCHEMA),
    'schema-id': String(SCHEMA_ID),
    'partition-spec': JSON.stringify(PARTITION_SPEC.fields),
    'partition-spec-id': String(PARTITION_SPEC['spec-id']),
    'format-version': '2',
    content: 'data',
  };
  return writeAvro(ENTRY, metadata, entries);
}

/** Reads a manifest that {@link writeManifest} has written. */
export function readManifest(file: Uint8Array): ManifestEntry[] {
  return readAvro(ENTRY, file) as ManifestEntry[];
}

export function writeManifestList(
  manifests: readonly ManifestFile[],
  snapshot: { readonly id: number; readonly parent: number | undefined; readonly sequenceNumber: number },
): Uint8Array<ArrayBuffer> {
  const metadata = {
    'snapshot-id': String(snapshot.id),
    'parent-snapshot-id': String(snapshot.parent ?? null),
    'sequence-number': String(snapshot.sequenceNumber),
    'format-version': '2',
  };
  return writeAvro(LIST, metadata, manifests);
}

/** Reads a manifest list that {@link writeManifestList} has written. */
export function readManifestList(file: Uint8Array): ManifestFile[] {
  return readAvro(LIST, file) as ManifestFile[];
}
