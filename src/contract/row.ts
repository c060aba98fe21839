/** The row: what a data team reads. Pure. */

import * as v from 'valibot';
import { timestamp } from './kinds.ts';
import { ReservationSchema } from './reservation.ts';
import { UUID_V7 } from './uuid-v7.ts';

/** Rises by one when a column is added; nothing else about the row ever changes. */
const SCHEMA_VERSION = 1;

/** The row, column by column, in the order in which the columns are written. */
export const RowSchema = v.strictObject({
  /** UUIDv7 (RFC 9562) made at acceptance. */
  event_id: v.pipe(v.string(), v.regex(new RegExp(`^${UUID_V7}$`))),
  event_fingerprint: v.pipe(v.string(), v.regex(/^[\da-f]{32}$/)),
  idempotency_key: v.nullable(v.string()),
  /** The same millisecond as event_id. */
  received_at: timestamp,
  sender: v.string(),
  schema_version: v.literal(SCHEMA_VERSION),
  ...ReservationSchema.entries,
  warnings: v.array(v.string()),
  extra: v.nullable(v.string()),
});

/** One accepted event. */
export type Row = v.InferOutput<typeof RowSchema>;

/** The names of all columns, in order. */
export const COLUMNS = Object.keys(RowSchema.entries) as readonly (keyof Row)[];
