/**
 * Appending to the log of published parts without gap, fork or duplicate, even when several runs append concurrently.
 */

import type { Clock } from './clock.ts';
import { create } from './create-object.ts';
import { LOG_PREFIX, logKey } from './keys.ts';
import { type LogEntry, LogEntrySchema } from './log-entry.ts';
import { listAll } from './many-objects.ts';
import { readState, WRITE_INTERVAL_MS } from './state.ts';

/** An entry that has no sequence yet. */
export type NewEntry = Omit<LogEntry, 'sequence' | 'committed_at'>;

/** The part log, to append to. */
export interface PartLog {
  /** The last sequence known to be taken; all before it are taken too. */
  readonly sequence: number;
  /**
   * Appends an entry, unless the log already has one for this part. Entries are created and never replaced, so one of
   * the runs competing for a sequence gets it and the others go on to the next.
   *
   * @throws When R2 does not confirm the write; repeating the call is safe.
   */
  append(entry: NewEntry): Promise<void>;
}

/**
 * Creates an appender to the log.
 *
 * @param sequence - The log is complete up to this sequence, and no part about to be appended has an entry at or before
 * it. A run that retries the same part must start from the same sequence or an earlier one.
 */
export function createPartLog(bucket: Pick<R2Bucket, 'get' | 'put'>, sequence: number, clock: Clock): PartLog {
  const keys = new Set<string>();
  let last = sequence;
  return {
    get sequence() {
      return last;
    },
    async append({ operation, key, ...entry }) {
      while (!keys.has(key)) {
        const next: LogEntry = {
          sequence: last + 1,
          committed_at: new Date(clock.now()).toISOString(),
          operation,
          key,
          ...entry,
        };
        const created = await create(bucket, logKey(next.sequence), JSON.stringify(next), {
          httpMetadata: { contentType: 'application/json' },
          // Lets a listing show which parts have an entry.
          customMetadata: { key },
        });
        const logged = created === null ? await readLogEntry(bucket, next.sequence) : next;
        if (logged === undefined) {
          // Another run tried to write it within the last second and has not succeeded.
          await clock.wait(WRITE_INTERVAL_MS);
          continue;
        }
        keys.add(logged.key);
        last = logged.sequence;
      }
    },
  };
}

/** The last sequence of the log, 0 when it is empty. Takes about twice as many listings as it has binary digits. */
export async function findLastSequence(bucket: Pick<R2Bucket, 'list'>): Promise<number> {
  /** The first sequence after this one, or undefined when there is none. */
  async function after(sequence: number): Promise<number | undefined> {
    const { objects } = await bucket.list({ prefix: LOG_PREFIX, startAfter: logKey(sequence), limit: 1 });
    const [first] = objects;
    return first && Number.parseInt(first.key.slice(LOG_PREFIX.length), 10);
  }

  let last = 0;
  let step = 1;
  // The step doubles while there are entries beyond it, then halves.
  for (let next = await after(last); next !== undefined; next = await after(last + step)) {
    last = next;
    step *= 2;
  }
  for (; step >= 1; step = Math.floor(step / 2)) {
    const next = await after(last + step - 1);
    if (next !== undefined) last = next;
  }
  return last;
}

/** Lists the keys of parts by sequence, as recorded in the log between two sequences, both inclusive. */
export async function* listKeys(
  bucket: Pick<R2Bucket, 'list'>,
  first: number,
  last: number,
): AsyncGenerator<[sequence: number, key: string]> {
  const listed = listAll(bucket, { prefix: LOG_PREFIX, startAfter: logKey(first - 1), include: ['customMetadata'] });
  for await (const { key, customMetadata } of listed) {
    const sequence = Number.parseInt(key.slice(LOG_PREFIX.length), 10);
    if (sequence > last) break;
    if (customMetadata?.key !== undefined) yield [sequence, customMetadata.key];
  }
}

/**
 * Reads an entry of the log; undefined when the sequence does not exist yet.
 *
 * @throws When the object is not a log entry.
 */
export async function readLogEntry(bucket: Pick<R2Bucket, 'get'>, sequence: number): Promise<LogEntry | undefined> {
  return (await readState(bucket, logKey(sequence), LogEntrySchema, 'restore it, so that the log has no gap')).value;
}
