/** Asking a consumer of the gather queue to make one landing object of many small ones. Pure. */

import * as v from 'valibot';
import { UUID_V7 } from '../contract/uuid-v7.ts';
import { landingPrefix, objectKey } from './keys.ts';

const NAME_END = '.ndjson';

/** As many keys as one call deletes (R2, Limits). */
const MAX_SOURCES = 1_000;

export const GatherRequestSchema = v.pipe(
  v.object({
    /** The hour, `dt=YYYY-MM-DD/hour=HH`. */
    partition: v.pipe(v.string(), v.regex(/^dt=\d{4}-\d\d-\d\d\/hour=\d\d$/)),
    /** The UUIDv7 that names the object to make: the same in each delivery, so that none makes a second one. */
    output: v.pipe(v.string(), v.regex(new RegExp(`^${UUID_V7}$`))),
    /** The objects, by their names below the partition. */
    sources: v.pipe(v.array(v.pipe(v.string(), v.regex(/^[^/]+$/))), v.minLength(1), v.maxLength(MAX_SOURCES)),
    /** Until when the publisher leaves them alone, in milliseconds since 1970; later nothing is done. */
    until: v.number(),
  }),
  v.check(({ output, sources }) => sources.every((source) => isGatherable(source, output)), 'a source sorts last'),
);

export type GatherRequest = v.InferOutput<typeof GatherRequestSchema>;

/**
 * Whether an object can be gathered into the one of this name. A listing goes through names in their order, and rows have
 * to be met in one object when they are not met in the other any more: so the object they move to comes later.
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
