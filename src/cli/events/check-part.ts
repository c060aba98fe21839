/** Compares a published part with its log entry. */

import { hash } from 'node:crypto';
import type { IdSet } from '../../storage/id-set.ts';
import { PARTITION_MS, startOf } from '../../storage/keys.ts';
import {
  type EventIdWords,
  formatEventId,
  isBefore,
  linesOfBlock,
  millisecondsOf,
  newEventIdWords,
  readEventId,
} from '../../storage/line-bytes.ts';
import type { LogEntry } from '../../storage/log-entry.ts';
import type { ReadableStore } from '../object-store.ts';
import { DamagedObject, storedLines } from '../stored-lines.ts';

/** A finding about a part, on one line: the key of the object first. */
export function partFinding({ key, sequence }: LogEntry, why: string): string {
  return `${key}: ${why} (entry ${sequence} of the log)`;
}

/**
 * Checks a part, with no more than a few unpacked blocks in memory at a time.
 *
 * @param known - The event_ids of the other parts of the hour; those of this part are added.
 * @returns The findings, or undefined if the object does not exist.
 */
export async function checkPart(
  store: Pick<ReadableStore, 'get'>,
  entry: LogEntry,
  known: IdSet,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const body = await store.get(entry.key);
  if (body === undefined) return undefined;
  const rows = new RowCheck(entry, known);
  const say = (findings: string[]) => findings.map((why) => partFinding(entry, why));
  try {
    for await (const block of storedLines(entry.key, body)) {
      signal.throwIfAborted();
      rows.read(block);
    }
    return say([...compareBytes(body, entry), ...rows.findings()]);
  } catch (error) {
    if (!(error instanceof DamagedObject)) throw error;
    return say([...compareBytes(body, entry), `cannot be decompressed: ${error.why}`]);
  }
}

function compareBytes(body: Uint8Array, entry: LogEntry): string[] {
  if (body.length !== entry.bytes) return [`${body.length} bytes instead of ${entry.bytes}`];
  const sha256 = hash('sha256', body);
  return sha256 === entry.sha256 ? [] : [`changed: SHA-256 is ${sha256} instead of ${entry.sha256}`];
}

/** Counts rows and checks their event_ids. */
class RowCheck {
  readonly #entry: LogEntry;
  readonly #known: IdSet;
  readonly #id = newEventIdWords();
  #rows = 0;
  #otherLines = 0;
  #lowest: EventIdWords | undefined;
  #highest: EventIdWords | undefined;
  readonly #repeated = new Examples();
  readonly #outsideHour = new Examples();

  constructor(entry: LogEntry, known: IdSet) {
    this.#entry = entry;
    this.#known = known;
  }

  read(block: Uint8Array): void {
    const start = startOf(this.#entry.partition);
    const id = this.#id;
    for (const line of linesOfBlock(block)) {
      this.#rows += 1;
      if (!readEventId(line, id)) {
        this.#otherLines += 1;
        continue;
      }
      const time = millisecondsOf(id);
      if (time < start || time >= start + PARTITION_MS) this.#outsideHour.add(id);
      if (!this.#known.add(id)) this.#repeated.add(id);
      if (this.#lowest === undefined || isBefore(id, this.#lowest)) this.#lowest = id.slice() as EventIdWords;
      if (this.#highest === undefined || isBefore(this.#highest, id)) this.#highest = id.slice() as EventIdWords;
    }
  }

  findings(): string[] {
    const { rows, first_event_id: first, last_event_id: last } = this.#entry;
    const [lowest, highest] = [this.#lowest, this.#highest].map((id) => id && formatEventId(id));
    return [
      ...(this.#otherLines > 0 ? [`${this.#otherLines} lines that are not events`] : []),
      ...(this.#rows !== rows ? [`${this.#rows} rows instead of ${rows}`] : []),
      ...(lowest !== undefined && (lowest !== first || highest !== last)
        ? [`event_ids from ${lowest} to ${highest} instead of ${first} to ${last}`]
        : []),
      ...this.#outsideHour.toFindings((count, id) => `${count} event_ids of another hour, the first is ${id}`),
      ...this.#repeated.toFindings(
        (count, id) =>
          `${count} event_ids that occurred before, in it or an earlier part of its hour; the first is ${id}`,
      ),
    ];
  }
}

/** Counts event_ids and keeps the first. */
class Examples {
  #count = 0;
  #first = '';

  add(id: EventIdWords): void {
    if (this.#count === 0) this.#first = formatEventId(id);
    this.#count += 1;
  }

  toFindings(say: (count: number, first: string) => string): string[] {
    return this.#count === 0 ? [] : [say(this.#count, this.#first)];
  }
}
