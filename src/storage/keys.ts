/**
 * Where objects lie in R2. All partitions are hours of UTC and come from the time of receipt: nothing in a key comes
 * from a payload. Pure.
 */

export type Prefix = 'landing' | 'rejected' | 'dead-letter';

/** The partition of a moment: `dt=YYYY-MM-DD/hour=HH`. */
export function partitionOf(time: Date): string {
  return partitionAt(time.toISOString());
}

/** The same, of a moment that is written `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export function partitionAt(timestamp: string): string {
  return `dt=${timestamp.slice(0, 10)}/hour=${timestamp.slice(11, 13)}`;
}

/**
 * The key of a new object. Names sort by the time at which they were made and never repeat.
 *
 * @param name - A UUIDv7.
 */
export function objectKey(prefix: Prefix, partition: string, name: string): string {
  return `${prefix}/${partition}/${name}.ndjson`;
}

/** What stands before the key of an object of `dead-letter/` once it was replayed. */
export const REPLAYED = 'replayed/';

/** What the published objects begin with. The version rises only if the row breaks with its past, which it must not. */
export const EVENTS_PREFIX = 'events/v1/';

/** What the published objects of all partitions begin with. */
export const EVENTS_PARTITIONS = `${EVENTS_PREFIX}dt=`;

/** Up to when the published objects are complete. */
export const WATERMARK_KEY = `${EVENTS_PREFIX}_watermark.json`;

/** What requests to erase a guest begin with; each is there until no queue can hold anything of the guest any more. */
export const ERASURE_REQUESTS = 'erasures/requests/';

export function erasureRequestKey(erasureId: string): string {
  return `${ERASURE_REQUESTS}${erasureId}.json`;
}

/** What the records of erasures begin with. They are kept. */
export const ERASURE_RECORDS = 'erasures/records/';

export function erasureRecordKey(erasureId: string): string {
  return `${ERASURE_RECORDS}${erasureId}.json`;
}

/** The parts that are being rewritten. */
export const REWRITES_KEY = 'erasures/state.json';

/** How far guests have been erased whose time is over. */
export const EXPIRY_KEY = 'publish/expiry.json';

/** How the last run of the publisher ended. */
export const LAST_RUN_KEY = 'publish/last-run.json';

/** What the webhook was told. */
export const ALARMS_KEY = 'alarms/state.json';

/** What the entries of the log of published parts begin with. */
export const LOG_PREFIX = `${EVENTS_PREFIX}_log/`;

/** Digits of a sequence in a key, so that the order of keys is the order of sequences. */
const SEQUENCE_DIGITS = 20;

export function logKey(sequence: number): string {
  return `${LOG_PREFIX}${digits(sequence)}.json`;
}

function digits(sequence: number): string {
  return String(sequence).padStart(SEQUENCE_DIGITS, '0');
}

/** What the landing objects of all partitions begin with. */
export const LANDING_PARTITIONS = 'landing/dt=';

/** What the landing objects of a partition begin with. */
export function landingPrefix(partition: string): string {
  return `landing/${partition}/`;
}

/** Where a landing object is kept whole when it holds anything but valid records. */
export function setAsideKey(landingKey: string): string {
  return landingKey.replace(/^landing\//, 'unreadable/');
}

/** What the published objects of a partition begin with. */
export function eventsPrefix(partition: string): string {
  return `${EVENTS_PREFIX}${partition}/`;
}

/**
 * The key of a published object.
 *
 * @param name - A UUIDv7.
 */
export function eventsKey(partition: string, name: string): string {
  return `${eventsPrefix(partition)}${name}.ndjson.gz`;
}

const PARTITION = /\/(dt=\d{4}-\d\d-\d\d\/hour=\d\d)\//;

/** The partition that a key lies in, or undefined when it lies in none. */
export function partitionIn(key: string): string | undefined {
  const partition = PARTITION.exec(key)?.[1];
  if (partition === undefined) return undefined;
  const start = startOf(partition);
  // Date.parse takes hour 24 and 30 February for moments of the next day: only what is written back unchanged counts.
  return !Number.isNaN(start) && partitionOf(new Date(start)) === partition ? partition : undefined;
}

/** The first millisecond of a partition, since 1970. */
export function startOf(partition: string): number {
  return Date.parse(partition.replace(/^dt=(.+)\/hour=(\d\d)$/, '$1T$2:00:00.000Z'));
}

export const PARTITION_MS = 3_600_000;
