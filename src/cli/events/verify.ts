/** `verify`: checks that published objects match the log, that none is missing, and that each event occurs once. */

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

/** Hours that are checked concurrently. Each keeps its event_ids in memory, somewhat more than 16 bytes per event. */
const HOURS = 8;

/** Suffix of published objects; other files do not belong to the log. */
const PUBLISHED = '.ndjson.gz';

export interface VerifyRequest {
  /** The hours whose objects are checked; the log is always checked as a whole. */
  readonly range: TimeRange;
  /**
   * The publisher may be running: an object written after this time without a log entry, or replaced after it and not
   * yet deleted, is no finding.
   */
  readonly settledBefore: Date;
}

/**
 * Verifies a bucket, or a folder that `pull` has filled.
 *
 * Each event_id is checked to be in the hour of its part, so it can only repeat within that hour: memory is bounded by
 * the hours that are read concurrently.
 *
 * @returns How much was checked, the findings, one line each with the key of the object first, and the log.
 * @throws When there is neither a log nor an object: no finding in the wrong place would look like success.
 */
export async function verify(store: ReadableStore, { range, settledBefore }: VerifyRequest, signal: AbortSignal) {
  const watermark = await readWatermark(store);
  // Listed before the log is read, so that a part published meanwhile does not look like an object without an entry.
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
    ? [`${LOG_PREFIX}: it ends with entry ${last}, but the watermark refers to entry ${watermark}`]
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

/** Finds objects that should not be there: a reader of all files would count their rows. */
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
