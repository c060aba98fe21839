/** The schema of a row as the data team reads it, and the facts about its columns for code that restates it. Pure. */

import * as v from 'valibot';
import type { Kind } from './fields.ts';
import { type InPseudonyms, personal, timestamp } from './kinds.ts';
import { EventSchema, ReservationSchema } from './reservation.ts';
import { uuidV7Text } from './uuid-v7.ts';

const LEADING_COLUMNS = {
  /** UUIDv7 (RFC 9562) made at acceptance. */
  event_id: uuidV7Text,
  event_fingerprint: v.pipe(v.string(), v.regex(/^[\da-f]{32}$/)),
  idempotency_key: v.nullable(v.string()),
  /** The same millisecond as event_id. */
  received_at: timestamp,
  occurred_at: EventSchema.entries.occurred_at,
  sender: v.string(),
};

const TRAILING_COLUMNS = {
  ...ReservationSchema.entries,
  warnings: v.array(v.string()),
  extra: v.pipe(v.nullable(v.string()), personal('null')),
};

/** The schema version that introduced a column, according to its metadata; 1 by default. */
function sinceOf(schema: v.GenericSchema): number {
  const { since = 1 } = v.getMetadata(schema) as { readonly since?: number };
  return since;
}

/** The current schema version: the latest one that introduced a column. */
export const SCHEMA_VERSION = Math.max(...Object.values({ ...LEADING_COLUMNS, ...TRAILING_COLUMNS }).map(sinceOf));

/** The row as it is written now, in column order. */
export const RowSchema = v.strictObject({
  ...LEADING_COLUMNS,
  schema_version: v.literal(SCHEMA_VERSION),
  ...TRAILING_COLUMNS,
});

export type Row = v.InferOutput<typeof RowSchema>;

export const COLUMNS = Object.keys(RowSchema.entries) as readonly (keyof Row)[];

/** The type of a column, for databases and file formats to map. `texts` is a list of text. */
export type ColumnType = 'text' | 'timestamp' | 'date' | 'integer' | 'texts';

export interface ColumnFacts {
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** The schema version that introduced it. Lines are never rewritten, so rows of earlier versions lack it. */
  readonly since: number;
  readonly personal: boolean;
  readonly inPseudonyms: InPseudonyms;
}

export function factsOf(column: keyof Row): ColumnFacts {
  const schema = RowSchema.entries[column];
  const { personal } = v.getMetadata(schema) as { readonly personal?: InPseudonyms };
  const nullable = 'wrapped' in schema;
  return {
    type: typeOf(nullable ? schema.wrapped : schema),
    nullable,
    since: sinceOf(schema),
    personal: personal !== undefined,
    inPseudonyms: personal ?? 'kept',
  };
}

const TYPES: Readonly<Record<Kind, ColumnType>> = {
  text: 'text',
  nationality: 'text',
  language: 'text',
  choice: 'text',
  timestamp: 'timestamp',
  date: 'date',
  count: 'integer',
};

function typeOf(schema: v.GenericSchema): ColumnType {
  const { kind } = v.getMetadata(schema) as { readonly kind?: Kind };
  if (kind !== undefined) return TYPES[kind];
  if (schema.type === 'array') return 'texts';
  return schema.type === 'literal' ? 'integer' : 'text';
}
