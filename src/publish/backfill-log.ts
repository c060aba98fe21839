/** Giving an entry in the log to parts that have none: those of versions that kept no log. */

import { IdSet } from '../storage/id-set.ts';
import { EVENTS_PARTITIONS, LOG_PREFIX } from '../storage/keys.ts';
import { type EventIdWords, newEventIdWords } from '../storage/line-bytes.ts';
import type { PartLog } from '../storage/part-log.ts';
import { type Bucket, listAll } from './bucket.ts';
import { openRewrites } from './erase/rewriting.ts';
import type { Clock } from './lease.ts';
import type { Limits } from './limits.ts';
import { fromMetadata, readFacts, toEntry } from './part-facts.ts';

/** Where the backfill begins: before the first key. */
export const FROM_THE_START = '';

/**
 * Goes through the parts in the order of their keys and appends an entry for each that has none, as many as the limits
 * allow. To be called with the lease, while no part is open.
 *
 * @param through - The key that the run before has come to.
 * @returns The key that this run has come to, or null when no part is left.
 */
export async function backfillLog(
  bucket: Bucket,
  log: PartLog,
  through: string,
  clock: Pick<Clock, 'now'>,
  { backfillParts, backfillBytes }: Pick<Limits, 'backfillParts' | 'backfillBytes'>,
): Promise<string | null> {
  const logged = await findLogged(bucket);
  // The run that goes on with rewriting gives these the entries that replace others.
  const rewriting = await openRewrites(bucket);
  let parts = 0;
  let bytes = 0;
  let last = through;
  for await (const object of listAll(bucket, {
    prefix: EVENTS_PARTITIONS,
    include: ['customMetadata'],
    startAfter: through,
  })) {
    const { key } = object;
    const name = nameOf(key);
    if (name !== undefined && !logged.has(name) && !rewriting.has(key)) {
      if (parts >= backfillParts || bytes >= backfillBytes) return last;
      await appendFound(bucket, log, object, clock);
      parts += 1;
      bytes += object.size;
    }
    last = key;
  }
  return null;
}

async function appendFound(bucket: Bucket, log: PartLog, object: R2Object, clock: Pick<Clock, 'now'>): Promise<void> {
  const { key } = object;
  const facts = fromMetadata(object) ?? (await readFacts(bucket, key));
  if (facts !== undefined) await log.append(toEntry(key, facts), clock.now());
}

/** The names of the parts that have an entry. */
async function findLogged(bucket: Pick<Bucket, 'list'>): Promise<IdSet> {
  const logged = new IdSet();
  for await (const { customMetadata } of listAll(bucket, { prefix: LOG_PREFIX, include: ['customMetadata'] })) {
    const name = nameOf(customMetadata?.key ?? '');
    if (name !== undefined) logged.add(name);
  }
  return logged;
}

const PART_NAME = /\/([\da-f]{8})-([\da-f]{4})-(7[\da-f]{3})-([\da-f]{4})-([\da-f]{4})([\da-f]{8})\.ndjson\.gz$/;

/** The UUIDv7 in the key of a part, in a form that takes little room; undefined when the key is none of a part. */
function nameOf(key: string): EventIdWords | undefined {
  const groups = PART_NAME.exec(key);
  if (groups === null) return undefined;
  const [, first = '', second = '', third = '', fourth = '', fifth = '', sixth = ''] = groups;
  const words = newEventIdWords();
  words.set([first, second + third, fourth + fifth, sixth].map((digits) => Number.parseInt(digits, 16)));
  return words;
}
