/** An entry of the log of published parts, `events/v1/_log/<sequence>.json`: one object for each part, never changed. Pure. */

import * as v from 'valibot';
import { timestamp } from '../contract/kinds.ts';
import { UUID_V7 } from '../contract/uuid-v7.ts';
import { EVENTS_PREFIX, partitionIn } from './keys.ts';

export const eventId = v.pipe(v.string(), v.regex(new RegExp(`^${UUID_V7}$`)));

/** A key that `eventsKey()` makes. Readers turn it into a path, so nothing else may be in it. */
export const partKey = v.pipe(
  v.string(),
  v.startsWith(EVENTS_PREFIX),
  v.regex(/^[^/]+\/[^/]+\/dt=\d{4}-\d\d-\d\d\/hour=\d\d\/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.ndjson\.gz$/),
);

/** A number of things of which there is at least one. */
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** The members of an entry, in the order in which they are written. */
export const LogEntrySchema = v.pipe(
  v.object({
    /** From 1 on, one more for each part, without a gap. */
    sequence: count,
    committed_at: timestamp,
    /** Whether the part is new, or takes the place of `replaces`, which is deleted then. */
    operation: v.picklist(['add', 'replace']),
    key: partKey,
    /** The key of the part that goes; null when `operation` is `add`. */
    replaces: v.nullable(partKey),
    /** `dt=YYYY-MM-DD/hour=HH`: the hour of `received_at` of all its rows. */
    partition: v.string(),
    rows: count,
    bytes: count,
    /** SHA-256 of the bytes of the object, in lower-case hexadecimal digits. */
    sha256: v.pipe(v.string(), v.regex(/^[\da-f]{64}$/)),
    /** The lowest and the highest `event_id`, and their times. */
    first_event_id: eventId,
    last_event_id: eventId,
    first_received_at: timestamp,
    last_received_at: timestamp,
    /** Every `schema_version` among the rows, in ascending order. */
    schema_versions: v.array(count),
  }),
  v.check(({ key, partition }) => partitionIn(key) === partition, 'the key lies in another partition'),
  v.check(({ operation, replaces }) => (operation === 'replace') === (replaces !== null), 'replaces does not fit'),
);

/** One published part, as the log has it. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export type LogEntry = v.InferOutput<typeof LogEntrySchema>;
