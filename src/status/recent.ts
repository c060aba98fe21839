/** The last 24 hours of a prefix, without reading an object. */

import { PARTITION_MS, partitionOf } from '../storage/keys.ts';

/** How many hours are looked at, the present one among them. */
export const HOURS = 24;

/** How many hours are listed at once: a Worker may wait for six connections (Workers, Limits). */
const AT_ONCE = 4;

/** How many pages of up to 1,000 objects are listed of one hour. */
const PAGES_AN_HOUR = 2;

/** An object as it is listed; an R2Object is one. */
export type Listed = Pick<R2Object, 'key' | 'customMetadata'>;

export interface Recent {
  /** Of each hour, in the order of {@link hoursBefore}. */
  readonly objects: readonly (readonly Listed[])[];
  /** The hours of which not all objects were listed. */
  readonly cut: readonly string[];
}

export function hoursBefore(now: Date): string[] {
  return Array.from({ length: HOURS }, (_, at) => partitionOf(new Date(now.getTime() - at * PARTITION_MS)));
}

/** Lists the objects of some hours, following the cursor as far as the limits allow. */
export async function listRecent(
  bucket: Pick<R2Bucket, 'list'>,
  prefix: string,
  hours: readonly string[],
): Promise<Recent> {
  const objects: (readonly Listed[])[] = [];
  const cut: string[] = [];
  for (let at = 0; at < hours.length; at += AT_ONCE) {
    const listed = await Promise.all(
      hours.slice(at, at + AT_ONCE).map((hour) => listHour(bucket, `${prefix}${hour}/`)),
    );
    for (const [index, hour] of listed.entries()) {
      objects.push(hour.objects);
      if (hour.cut) cut.push(hours[at + index] ?? '');
    }
  }
  return { objects, cut };
}

async function listHour(bucket: Pick<R2Bucket, 'list'>, prefix: string): Promise<{ objects: Listed[]; cut: boolean }> {
  const objects: Listed[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_AN_HOUR; page++) {
    const listed = await bucket.list({ prefix, include: ['customMetadata'], ...(cursor !== undefined && { cursor }) });
    objects.push(...listed.objects);
    if (!listed.truncated) return { objects, cut: false };
    cursor = listed.cursor;
  }
  return { objects, cut: true };
}
