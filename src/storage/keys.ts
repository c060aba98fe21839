/**
 * Where objects lie in R2. All partitions are hours of UTC and come from the time of receipt: nothing in a key comes
 * from a payload. Pure.
 */

/** What is kept, and where. */
export type Prefix = 'landing' | 'rejected' | 'dead-letter';

/** The partition of a moment: `dt=YYYY-MM-DD/hour=HH`. */
export function partitionOf(time: Date): string {
  const iso = time.toISOString();
  return `dt=${iso.slice(0, 10)}/hour=${iso.slice(11, 13)}`;
}

/**
 * The key of a new object. Names sort by the time at which they were made and never repeat.
 *
 * @param name - A UUIDv7.
 */
export function objectKey(prefix: Prefix, partition: string, name: string): string {
  return `${prefix}/${partition}/${name}.ndjson`;
}
