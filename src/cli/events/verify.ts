/** `verify`: whether published objects are what the log says, all of them, each event once. */

import { IdSet } from '../../storage/id-set.ts';
import { EVENTS_PREFIX, LOG_PREFIX, WATERMARK_KEY } from '../../storage/keys.ts';
import type { LogEntry } from '../../storage/log-entry.ts';
import { listHours, type TimeRange } from '../list-hours.ts';
import { mapWithProgress } from '../map-with-progress.ts';
import type { StoredObject } from '../object-store/xml.ts';
import type { ReadableStore } from '../object-store.ts';
import { checkPart, partFinding } from './check-part.ts';
import { partsIn, readLog, standing } from './published-log.ts';
import { readWatermark, type WatermarkReading } from './watermark.ts';

/** Hours that are checked at once. Each keeps the event_ids of one hour, 16 bytes and some room an event. */
const HOURS = 8;

/** What files of published events end in; other files do not belong to the log. */
const PUBLISHED = '.ndjson.gz';

export interface VerifyRequest {
  /** Only objects of these hours; the log is always checked whole. */
  readonly range: TimeRange;
  /**
   * A publisher may be at work. What was written after this moment and is not in the log yet, or was replaced after it
   * and is still there, is no finding.
   */
  readonly settledBefore: Date;
}

export interface Verification {
  readonly parts: number;
  readonly rows: number;
  /** What is wrong, a line each: the key of the object first. */
  readonly findings: readonly string[];
  /** The log, for what else follows it. */
  readonly entries: readonly LogEntry[];
}

/**
 * Checks a bucket, or a folder that `pull` has filled.
 *
 * An event_id lies in the hour of its part, which is checked, so one can repeat only within an hour: memory is bounded
 * by the hours that are read at once.
 *
 * @throws When there is neither a log nor an object to check: nothing would be found wrong with the wrong place either.
 */
export async function verify(
  store: ReadableStore,
  { range, settledBefore }: VerifyRequest,
  signal: AbortSignal,
): Promise<Verification> {
  const watermark = await readWatermark(store);
  // Before the log, so that what is published meanwhile is not taken for an object without an entry.
  const listed = await Array.fromAsync(listHours(store, EVENTS_PREFIX.slice(0, -1), range));
  const log = await readLog(store, 0, signal);
  if (log.entries.length === 0 && log.findings.length === 0 && listed.length === 0) {
    throw new Error(
      `Cannot verify what is not there: ${LOG_PREFIX} has no entry; name the folder that npm run events -- pull has filled, or the right bucket, once something is published`,
    );
  }
  const parts = partsIn(log.entries, range);
  return {
    parts: parts.length,
    rows: parts.reduce((sum, part) => sum + part.rows, 0),
    entries: log.entries,
    findings: [
      ...log.findings,
      ...checkWatermark(watermark, log.entries.at(-1)?.sequence ?? 0),
      ...(await checkParts(store, parts, signal)),
      ...checkListing(listed, log.entries, settledBefore),
    ],
  };
}

function checkWatermark(reading: WatermarkReading, last: number): string[] {
  if (!reading.ok) return [`${WATERMARK_KEY}: no watermark: ${reading.error}`];
  const { log_sequence: watermark = 0 } = reading.value ?? {};
  return watermark > last
    ? [`${LOG_PREFIX}: it ends with entry ${last}, and the watermark rests on entry ${watermark}`]
    : [];
}

async function checkParts(store: ReadableStore, parts: readonly LogEntry[], signal: AbortSignal): Promise<string[]> {
  const missing: LogEntry[] = [];
  let done = 0;

  async function checkHour(entries: readonly LogEntry[]): Promise<string[]> {
    const known = new IdSet();
    const findings: string[] = [];
    for (const entry of entries) {
      const found = await checkPart(store, entry, known, signal);
      if (found === undefined) missing.push(entry);
      findings.push(...(found ?? []));
      done += 1;
    }
    return findings;
  }

  const hours = [...Map.groupBy(parts, ({ partition }) => partition).values()];
  const remark = () => `hours, ${done} of ${parts.length} parts`;
  const findings = await mapWithProgress(hours, checkHour, { label: 'verify', concurrency: HOURS, signal, remark });
  if (missing.length === 0) return findings.flat();
  // Some may have been replaced since the log was read.
  const { entries } = await readLog(store, 0, signal);
  const replaced = new Set(entries.map(({ replaces }) => replaces));
  const lost = missing.filter(({ key }) => !replaced.has(key));
  return [...findings.flat(), ...lost.map((entry) => partFinding(entry, 'missing'))];
}

/** Objects that lie there and should not: a reader of all files would count them. */
function checkListing(objects: readonly StoredObject[], entries: readonly LogEntry[], settledBefore: Date): string[] {
  const logged = standing(entries);
  const replacements = new Map(entries.map((entry) => [entry.replaces, entry]));
  return objects.flatMap(({ key, modified }) => {
    if (logged.has(key) || !key.endsWith(PUBLISHED)) return [];
    const by = replacements.get(key);
    const since = by === undefined ? modified : new Date(by.committed_at);
    if (since >= settledBefore) return [];
    return by === undefined
      ? [`${key}: not in the log`]
      : [`${key}: still there, though entry ${by.sequence} of the log replaced it by ${by.key}`];
  });
}
