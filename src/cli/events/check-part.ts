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
  const differences = compareBytes(body, entry);
  try {
    differences.push(...(await compareRows(body, entry, known, signal)));
  } catch (error) {
    if (!(error instanceof DamagedObject)) throw error;
    differences.push(`cannot be decompressed: ${error.why}`);
  }
  return differences.map((why) => partFinding(entry, why));
}

function compareBytes(body: Uint8Array, entry: LogEntry): string[] {
  if (body.length !== entry.bytes) return [`${body.length} bytes instead of ${entry.bytes}`];
  const sha256 = hash('sha256', body);
  return sha256 === entry.sha256 ? [] : [`changed: SHA-256 is ${sha256} instead of ${entry.sha256}`];
}

/** Counts the rows and checks their event_ids. */
async function compareRows(
  body: Uint8Array,
  { key, partition, rows, first_event_id: first, last_event_id: last }: LogEntry,
  known: IdSet,
  signal: AbortSignal,
): Promise<string[]> {
  const start = startOf(partition);
  const id = newEventIdWords();
  let [lines, otherLines] = [0, 0];
  let lowest: EventIdWords | undefined;
  let highest: EventIdWords | undefined;
  const outsideHour = { count: 0, first: '' };
  const repeated = { count: 0, first: '' };
  const note = (ids: typeof repeated) => {
    ids.first ||= formatEventId(id);
    ids.count += 1;
  };
  for await (const block of storedLines(key, body)) {
    signal.throwIfAborted();
    for (const line of linesOfBlock(block)) {
      lines += 1;
      if (!readEventId(line, id)) {
        otherLines += 1;
        continue;
      }
      const time = millisecondsOf(id);
      if (time < start || time >= start + PARTITION_MS) note(outsideHour);
      if (!known.add(id)) note(repeated);
      if (lowest === undefined || isBefore(id, lowest)) lowest = id.slice() as EventIdWords;
      if (highest === undefined || isBefore(highest, id)) highest = id.slice() as EventIdWords;
    }
  }
  const [from, to] = [lowest, highest].map((each) => each && formatEventId(each));
  const findings: readonly [boolean, string][] = [
    [otherLines > 0, `${otherLines} lines that are not events`],
    [lines !== rows, `${lines} rows instead of ${rows}`],
    [
      from !== undefined && (from !== first || to !== last),
      `event_ids from ${from} to ${to} instead of ${first} to ${last}`,
    ],
    [outsideHour.count > 0, `${outsideHour.count} event_ids of another hour, the first is ${outsideHour.first}`],
    [
      repeated.count > 0,
      `${repeated.count} event_ids that occurred before, in it or an earlier part of its hour; the first is ${repeated.first}`,
    ],
  ];
  return findings.filter(([isSo]) => isSo).map(([, why]) => why);
}
