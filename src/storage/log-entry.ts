/** An entry of the log of published parts, `events/v1/_log/<sequence>.json`: one object for each part, never changed. Pure. */

import * as v from 'valibot';
import { EVENTS_PREFIX, partitionIn } from './keys.ts';
import { CONTENT_ENTRIES, changeEntries, replacesFits } from './published-object.ts';

/** A key that `eventsKey()` makes. Readers turn it into a path, so nothing else may be in it. */
export const partKey = v.pipe(
  v.string(),
  v.startsWith(EVENTS_PREFIX),
  v.regex(/^[^/]+\/[^/]+\/dt=\d{4}-\d\d-\d\d\/hour=\d\d\/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.ndjson\.gz$/),
);

/** The members of an entry, in the order in which they are written. */
export const LogEntrySchema = v.pipe(
  v.object({
    ...changeEntries(partKey),
    /** `dt=YYYY-MM-DD/hour=HH`: the hour of `received_at` of all its rows. */
    partition: v.string(),
    ...CONTENT_ENTRIES,
  }),
  v.check(({ key, partition }) => partitionIn(key) === partition, 'the key lies in another partition'),
  v.check((entry) => replacesFits(entry), 'replaces does not fit'),
);

/** One published part, as the log has it. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export type LogEntry = v.InferOutput<typeof LogEntrySchema>;
