/** An entry of the part log, `events/v1/_log/<sequence>.json`: one object per part, never changed. Pure. */

import * as v from 'valibot';
import { timestamp } from '../contract/kinds.ts';
import { uuidV7Text } from '../contract/uuid-v7.ts';
import { EVENTS_PREFIX, partitionIn } from './keys.ts';

/** A key as made by `eventsKey()`. Readers turn it into a path, so it must contain nothing else. */
export const partKey = v.pipe(
  v.string(),
  v.startsWith(EVENTS_PREFIX),
  v.regex(/^[^/]+\/[^/]+\/dt=\d{4}-\d\d-\d\d\/hour=\d\d\/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.ndjson\.gz$/),
);

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** The members of an entry, in the order in which they are written. Counts are at least 1. */
export const LogEntrySchema = v.pipe(
  v.object({
    /** Starts at 1 and rises by one with each part, without a gap. */
    sequence: count,
    committed_at: timestamp,
    /** Whether the part is new or replaces the part `replaces`, which is then deleted. */
    operation: v.picklist(['add', 'replace']),
    key: partKey,
    /** The key of the replaced part; null when `operation` is `add`. */
    replaces: v.nullable(partKey),
    /** `dt=YYYY-MM-DD/hour=HH`: the hour in which all its rows were received. */
    partition: v.string(),
    rows: count,
    bytes: count,
    /** SHA-256 of the object, in lower-case hexadecimal. */
    sha256: v.pipe(v.string(), v.regex(/^[\da-f]{64}$/)),
    /** The lowest and highest `event_id`, and their times. */
    first_event_id: uuidV7Text,
    last_event_id: uuidV7Text,
    first_received_at: timestamp,
    last_received_at: timestamp,
    /** Every `schema_version` among the rows, in ascending order. */
    schema_versions: v.array(count),
  }),
  v.check(({ key, partition }) => partitionIn(key) === partition, 'the key lies in another partition'),
  v.check(({ operation, replaces }) => (operation === 'replace') === (replaces !== null), 'replaces does not fit'),
);

/** A published part as recorded in the log. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export type LogEntry = v.InferOutput<typeof LogEntrySchema>;
