/** How many messages lie in `dead-letter/`. */

import { partitionIn, REPLAYED, startOf } from '../storage/keys.ts';
import { listAll } from '../storage/list-all.ts';
import type { Bucket } from './bucket.ts';

/** What lies in `dead-letter/` and was not replayed. */
export interface DeadLetterCount {
  readonly events: number;
  /** Messages that are no line of ours; no replay changes that. */
  readonly foreign: number;
}

/** Counts the messages of whole hours before a moment, in milliseconds since 1970, by the metadata of their objects. */
export async function countDeadLetters(bucket: Pick<Bucket, 'list'>, before: number): Promise<DeadLetterCount> {
  const counts = new Map<string, DeadLetterCount>();
  for await (const { key, customMetadata } of listAll(bucket, {
    prefix: 'dead-letter/dt=',
    include: ['customMetadata'],
  })) {
    const partition = partitionIn(key);
    if (partition === undefined || startOf(partition) >= before) continue;
    const rows = count(customMetadata?.rows) ?? 1;
    // Earlier versions did not tell events from others.
    const events = count(customMetadata?.events) ?? rows;
    counts.set(key, { events, foreign: rows - events });
  }
  if (counts.size > 0) {
    for await (const { key } of listAll(bucket, { prefix: `${REPLAYED}dead-letter/` }))
      counts.delete(key.slice(REPLAYED.length));
  }
  const sum = (of: keyof DeadLetterCount) => counts.values().reduce((total, each) => total + each[of], 0);
  return { events: sum('events'), foreign: sum('foreign') };
}

/** A count as metadata have it; undefined when they have none. */
function count(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
