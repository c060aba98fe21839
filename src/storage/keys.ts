/**
 * The keys of objects in R2. All partitions are UTC hours of the time of receipt: no part of a key comes from a
 * payload. Pure.
 */

export type Prefix = 'landing' | 'rejected' | 'dead-letter';

/** The partition of a time: `dt=YYYY-MM-DD/hour=HH`. */
export function partitionOf(time: Date): string {
  return partitionAt(time.toISOString());
}

/** The partition of a timestamp that is written as `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export function partitionAt(timestamp: string): string {
  return `dt=${timestamp.slice(0, 10)}/hour=${timestamp.slice(11, 13)}`;
}

/**
 * The key of a new object. Names sort by creation time and never repeat.
 *
 * @param name - A UUIDv7.
 */
export function objectKey(prefix: Prefix, partition: string, name: string): string {
  return `${prefix}/${partition}/${name}.ndjson`;
}

/** Prefix of the records of refused bodies that were replayed. */
export const REPLAYED = 'replayed/';

/** Prefix of published objects. The version rises only if the row breaks compatibility, which it must not. */
export const EVENTS_PREFIX = 'events/v1/';

/** Prefix of the published objects of all partitions. */
export const EVENTS_PARTITIONS = `${EVENTS_PREFIX}dt=`;

/** The watermark: up to when the published objects are complete. */
export const WATERMARK_KEY = `${EVENTS_PREFIX}_watermark.json`;

/** Prefix of requests to erase a guest; each is kept until no queue can hold data of the guest any more. */
export const ERASURE_REQUESTS = 'erasures/requests/';

export function erasureRequestKey(erasureId: string): string {
  return `${ERASURE_REQUESTS}${erasureId}.json`;
}

/** Prefix of the records of erasures, which are kept. */
export const ERASURE_RECORDS = 'erasures/records/';

export function erasureRecordKey(erasureId: string): string {
  return `${ERASURE_RECORDS}${erasureId}.json`;
}

/** The parts being rewritten. */
export const REWRITES_KEY = 'erasures/state.json';

/** How far the erasure of guests whose retention is over has progressed. */
export const EXPIRY_KEY = 'publish/expiry.json';

/** How the last run of the publisher ended. */
export const LAST_RUN_KEY = 'publish/last-run.json';

/** Which alarms the webhook was sent. */
export const ALARMS_KEY = 'alarms/state.json';

/** Prefix of the entries of the part log. */
export const LOG_PREFIX = `${EVENTS_PREFIX}_log/`;

/** Digits of a sequence in a key, so that keys sort by sequence. */
const SEQUENCE_DIGITS = 20;

export function logKey(sequence: number): string {
  return `${LOG_PREFIX}${digits(sequence)}.json`;
}

function digits(sequence: number): string {
  return String(sequence).padStart(SEQUENCE_DIGITS, '0');
}

/** Prefix of the landing objects of all partitions. */
export const LANDING_PARTITIONS = 'landing/dt=';

/** Prefix of the landing objects of a partition. */
export function landingPrefix(partition: string): string {
  return `landing/${partition}/`;
}

/** The key under which a landing object is kept whole when it holds anything other than valid records. */
export function setAsideKey(landingKey: string): string {
  return landingKey.replace(/^landing\//, 'unreadable/');
}

/** Prefix of the published objects of a partition. */
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

/** The partition of a key, or undefined when it has none. */
export function partitionIn(key: string): string | undefined {
  const partition = PARTITION.exec(key)?.[1];
  if (partition === undefined) return undefined;
  const start = startOf(partition);
  // Date.parse reads hour 24 and 30 February as times of the next day, so the result has to format back unchanged.
  return !Number.isNaN(start) && partitionOf(new Date(start)) === partition ? partition : undefined;
}

/** The day of a partition, `YYYY-MM-DD`. */
export function dayOfPartition(partition: string): string {
  return partition.slice('dt='.length, 'dt=YYYY-MM-DD'.length);
}

/** The start of a partition, in milliseconds since 1970. */
export function startOf(partition: string): number {
  return Date.parse(partition.replace(/^dt=(.+)\/hour=(\d\d)$/, '$1T$2:00:00.000Z'));
}

export const PARTITION_MS = 3_600_000;

export const DAY_MS = 86_400_000;
