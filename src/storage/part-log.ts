/** Appending to the log of published parts, so that it has no gap, no fork, and no part twice, even when several runs append at once. */

import type { Clock } from './clock.ts';
import { create } from './create-object.ts';
import { LOG_PREFIX, logKey } from './keys.ts';
import { type LogEntry, LogEntrySchema } from './log-entry.ts';
import { readState, WRITE_INTERVAL_MS } from './state.ts';

/** An entry before it has its place in the log. */
export type NewEntry = Omit<LogEntry, 'sequence' | 'committed_at'>;

/** The log, for one that appends to it. */
export interface PartLog {
  /** The last sequence that is known to be taken; all before it are. */
  readonly sequence: number;
  /**
   * Appends an entry, unless the log has one for this part already. Entries are created and never replaced, so of all
   * who try for a sequence one has it, and the others go on to the next.
   *
   * @throws When R2 does not confirm the write; the same call again is safe.
   */
  append(entry: NewEntry): Promise<void>;
}

/**
 * Makes the log one that can be appended to.
 *
 * @param sequence - A sequence up to which the log is complete, and which no part that is going to be appended has an
 * entry at or before. A run that tries again for the same part must begin at the same sequence or an earlier one.
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
          // A listing then says which parts have an entry.
          customMetadata: { key },
        });
        const its = created === null ? await readLogEntry(bucket, next.sequence) : next;
        if (its === undefined) {
          // Another run was about to write it within the last second, and has not.
          await clock.wait(WRITE_INTERVAL_MS);
          continue;
        }
        keys.add(its.key);
        last = its.sequence;
      }
    },
  };
}

/** The last sequence of the log, 0 when it is empty, in about twice as many listings as it has binary digits. */
export async function findLastSequence(bucket: Pick<R2Bucket, 'list'>): Promise<number> {
  /** The first sequence above this one, or undefined when there is none. */
  async function after(sequence: number): Promise<number | undefined> {
    const { objects } = await bucket.list({ prefix: LOG_PREFIX, startAfter: logKey(sequence), limit: 1 });
    const [first] = objects;
    return first && Number.parseInt(first.key.slice(LOG_PREFIX.length), 10);
  }

  let last = 0;
  let step = 1;
  // Ever longer steps while there is something beyond them, then ever shorter ones.
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

/**
 * Reads an entry of the log; undefined when there is none of this sequence yet.
 *
 * @throws When what lies there is no entry.
 */
export async function readLogEntry(bucket: Pick<R2Bucket, 'get'>, sequence: number): Promise<LogEntry | undefined> {
  return (await readState(bucket, logKey(sequence), LogEntrySchema, 'restore it, so that the log has no gap')).value;
}
