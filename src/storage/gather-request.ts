/** The request that asks a consumer of the gather queue to merge many small landing objects into one. Pure. */

import * as v from 'valibot';
import { uuidV7Text } from '../contract/uuid-v7.ts';
import { landingPrefix, objectKey } from './keys.ts';

const NAME_END = '.ndjson';

/** The number of keys that one call deletes at most (R2, Limits). */
const MAX_SOURCES = 1_000;

export const GatherRequestSchema = v.pipe(
  v.object({
    /** The hour, `dt=YYYY-MM-DD/hour=HH`. */
    partition: v.pipe(v.string(), v.regex(/^dt=\d{4}-\d\d-\d\d\/hour=\d\d$/)),
    /**
     * The UUIDv7 that names the merged object: the same in each delivery, so that a redelivery creates no second one.
     */
    output: uuidV7Text,
    /** The source objects, by their names below the partition. */
    sources: v.pipe(v.array(v.pipe(v.string(), v.regex(/^[^/]+$/))), v.minLength(1), v.maxLength(MAX_SOURCES)),
    /** Until when the publisher leaves the sources alone, in milliseconds since 1970; a later delivery does nothing. */
    until: v.number(),
  }),
  v.check(({ output, sources }) => sources.every((source) => isGatherable(source, output)), 'a source sorts last'),
);

export type GatherRequest = v.InferOutput<typeof GatherRequestSchema>;

/**
 * Whether an object can be merged into one of this name. A listing is ordered by name, and rows must be met in the
 * merged object when they are no longer met in the source, so the merged object has to sort later.
 */
export function isGatherable(source: string, output: string): boolean {
  return source < output + NAME_END;
}

export function outputKeyOf({ partition, output }: Pick<GatherRequest, 'partition' | 'output'>): string {
  return objectKey('landing', partition, output);
}

export function sourceKeysOf({ partition, sources }: Pick<GatherRequest, 'partition' | 'sources'>): string[] {
  return sources.map((source) => landingPrefix(partition) + source);
}
