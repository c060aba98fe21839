/** Lists the last 24 hours of a prefix, without reading objects. */

import { PARTITION_MS, partitionOf } from '../storage/keys.ts';
import { listPages } from '../storage/many-objects.ts';

/** Hours that are listed, including the current one. */
export const HOURS = 24;

/** Pages, each of up to 1,000 objects, that are listed of one hour at most. */
const PAGES_AN_HOUR = 2;

/** The part of `R2Object` that is used here. */
export type Listed = Pick<R2Object, 'key' | 'customMetadata'>;

export interface Recent {
  /** The objects of each hour, in the order of {@link hoursBefore}. */
  readonly objects: readonly (readonly Listed[])[];
  /** Whether some objects were not listed. */
  readonly cut: boolean;
}

export function hoursBefore(now: Date): string[] {
  return Array.from({ length: HOURS }, (_, at) => partitionOf(new Date(now.getTime() - at * PARTITION_MS)));
}

/** Lists the objects of some hours, as far as the limits allow. */
export async function listRecent(
  bucket: Pick<R2Bucket, 'list'>,
  prefix: string,
  hours: readonly string[],
): Promise<Recent> {
  const listed = await Promise.all(hours.map((hour) => listHour(bucket, `${prefix}${hour}/`)));
  return { objects: listed.map(({ objects }) => objects), cut: listed.some(({ cut }) => cut) };
}

async function listHour(bucket: Pick<R2Bucket, 'list'>, prefix: string): Promise<{ objects: Listed[]; cut: boolean }> {
  const objects: Listed[] = [];
  let pages = 0;
  for await (const page of listPages(bucket, { prefix, include: ['customMetadata'] })) {
    objects.push(...page.objects);
    pages += 1;
    if (pages === PAGES_AN_HOUR) return { objects, cut: page.truncated };
  }
  return { objects, cut: false };
}
