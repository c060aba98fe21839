/** What the logs of parts and of columnar objects both say of an object. Pure. */

import * as v from 'valibot';
import { timestamp } from '../contract/kinds.ts';
import { UUID_V7 } from '../contract/uuid-v7.ts';

export const eventId = v.pipe(v.string(), v.regex(new RegExp(`^${UUID_V7}$`)));

/** A number of things of which there is at least one. */
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** The first members of an entry: what was done to the object with this key. */
export function changeEntries<Key extends v.GenericSchema<unknown, string>>(key: Key) {
  return {
    /** From 1 on, one more for each object, without a gap. */
    sequence: count,
    committed_at: timestamp,
    /** Whether the object is new, or takes the place of `replaces`, which is deleted then. */
    operation: v.picklist(['add', 'replace']),
    key,
    /** The key of the object that goes; null when `operation` is `add`. */
    replaces: v.nullable(key),
  };
}

/** What an entry says about the contents of the object. */
export const CONTENT_ENTRIES = {
  rows: count,
  /** The size of the object. */
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
};

type Entries = ReturnType<typeof changeEntries<v.GenericSchema<unknown, string>>> & typeof CONTENT_ENTRIES;

/** A published object, as either log has it. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export type PublishedObject = Readonly<v.InferOutput<v.ObjectSchema<Entries, undefined>>>;

/** Whether an entry names an object that goes exactly when it replaces one. */
export function replacesFits({ operation, replaces }: Pick<PublishedObject, 'operation' | 'replaces'>): boolean {
  return (operation === 'replace') === (replaces !== null);
}
