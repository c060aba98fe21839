/** An entry of the log of columnar objects, `parquet/v1/_log/<sequence>.json`: one for each object, never changed. Pure. */

import * as v from 'valibot';
import { GUEST_COLUMNS } from './guest-columns.ts';
import { PARQUET_PREFIX } from './keys.ts';
import { CONTENT_ENTRIES, changeEntries, count, replacesFits } from './published-object.ts';

/** A key that `parquetKey()` makes. Readers turn it into a path, so nothing else may be in it. */
const key = v.pipe(
  v.string(),
  v.startsWith(PARQUET_PREFIX),
  v.regex(/^[^/]+\/[^/]+\/dt=\d{4}-\d\d-\d\d\/\d{20}-\d{20}(?:-\d{20})?\.parquet$/),
);

/** The members of an entry, in the order in which they are written. */
export const ParquetEntrySchema = v.pipe(
  v.object({
    ...changeEntries(key),
    /** The day of `received_at` of all its rows, `YYYY-MM-DD` in UTC. */
    day: v.pipe(v.string(), v.isoDate()),
    ...CONTENT_ENTRIES,
    /** What is done with the columns that tell of a guest. */
    guest_columns: v.picklist(GUEST_COLUMNS),
    /**
     * The entries of `events/v1/_log/` whose parts are in the object: ranges of sequences, both ends included. Each
     * sequence is covered by one object that was not replaced.
     */
    covers: v.pipe(v.array(v.tuple([count, count])), v.minLength(1)),
  }),
  v.check((entry) => replacesFits(entry), 'replaces does not fit'),
);

/** One columnar object, as its log has it. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export type ParquetEntry = v.InferOutput<typeof ParquetEntrySchema>;

/** A range of sequences, both ends included. */
export type SequenceRange = ParquetEntry['covers'][number];

/** Sequences in ascending order as ranges. */
export function rangesOf(sequences: readonly number[]): SequenceRange[] {
  const ranges: SequenceRange[] = [];
  for (const sequence of sequences) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] + 1 === sequence) last[1] = sequence;
    else ranges.push([sequence, sequence]);
  }
  return ranges;
}

/** The sequences of ranges. */
export function* sequencesOf(ranges: readonly SequenceRange[]): Generator<number> {
  for (const [first, last] of ranges) for (let sequence = first; sequence <= last; sequence++) yield sequence;
}
