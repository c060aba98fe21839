/** The row: what a data team reads. Pure. */

import * as v from 'valibot';
import { type InPseudonyms, personal, timestamp } from './kinds.ts';
import { EventSchema, ReservationSchema } from './reservation.ts';
import { UUID_V7 } from './uuid-v7.ts';

/** Rises by one when a column is added; nothing else about the row ever changes. */
const SCHEMA_VERSION = 2;

/** The row as it is written now, column by column, in order. */
export const RowSchema = v.strictObject({
  /** UUIDv7 (RFC 9562) made at acceptance. */
  event_id: v.pipe(v.string(), v.regex(new RegExp(`^${UUID_V7}$`))),
  event_fingerprint: v.pipe(v.string(), v.regex(/^[\da-f]{32}$/)),
  idempotency_key: v.nullable(v.string()),
  /** The same millisecond as event_id. */
  received_at: timestamp,
  occurred_at: EventSchema.entries.occurred_at,
  sender: v.string(),
  schema_version: v.literal(SCHEMA_VERSION),
  ...ReservationSchema.entries,
  warnings: v.array(v.string()),
  extra: v.pipe(v.nullable(v.string()), personal('null')),
});

/** One accepted event. */
export type Row = v.InferOutput<typeof RowSchema>;

/** The names of all columns, in order. */
export const COLUMNS = Object.keys(RowSchema.entries) as readonly (keyof Row)[];

/** A row of any version, for readers: lines are never rewritten, so a column is missing in those that are older. */
export const StoredRowSchema = v.strictObject({
  ...RowSchema.entries,
  occurred_at: v.optional(RowSchema.entries.occurred_at, null),
  schema_version: v.picklist([1, SCHEMA_VERSION]),
});

/** What the schema says about a column in addition to its type. */
export interface ColumnFacts {
  /** The schema version with which it came. */
  readonly since: number;
  /** Whether it tells of a guest. */
  readonly personal: boolean;
  /** What it holds in files with pseudonyms. */
  readonly inPseudonyms: InPseudonyms;
}

/** Reads the facts of a column. */
export function factsOf(column: keyof Row): ColumnFacts {
  const { since = 1, personal } = v.getMetadata(RowSchema.entries[column]) as {
    readonly since?: number;
    readonly personal?: InPseudonyms;
  };
  return { since, personal: personal !== undefined, inPseudonyms: personal ?? 'kept' };
}
