/** `verify`: whether published objects are what the log says, all of them, each event once. */

import pMap from 'p-map';
import { IdSet } from '../../storage/id-set.ts';
import { EVENTS_PREFIX, LOG_PREFIX } from '../../storage/keys.ts';
import type { LogEntry } from '../../storage/log-entry.ts';
import { listHours, overlaps, type TimeRange } from '../list-hours.ts';
import type { ReadableStore } from '../object-store.ts';
import { showProgress } from '../show-progress.ts';
import { checkListing } from './check-listing.ts';
import { checkPart } from './check-part.ts';
import type { LogFinding } from './log-finding.ts';
import { readLog, standing } from './published-log.ts';
import { readWatermark, type WatermarkReading } from './watermark.ts';

/** Hours that are checked at once. Each keeps the event_ids of one hour, 16 bytes and some room an event. */
const HOURS = 8;

/** What is checked. */
export interface VerifyRequest {
  /** Only objects of these hours; the log is always checked whole. */
  readonly range: TimeRange;
  /**
   * A publisher may be at work. What was written after this moment and is not in the log yet, or was replaced after it
   * and is still there, is no finding.
   */
  readonly settledBefore: Date;
}

/** What `verify` has looked at. */
export interface Verification {
  readonly parts: number;
  readonly rows: number;
  readonly findings: readonly LogFinding[];
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
  const parts = [...standing(log.entries).values()].filter(({ partition }) => overlaps(range, partition));
  return {
    parts: parts.length,
    rows: parts.reduce((sum, part) => sum + part.rows, 0),
    entries: log.entries,
    findings: [
      ...log.findings,
      ...checkWatermark(watermark, log.entries.at(-1)?.sequence ?? 0),
      ...(await withoutReplaced(store, await checkHours(store, parts, signal), signal)),
      ...checkListing(listed, log.entries, settledBefore),
    ],
  };
}

function checkWatermark(reading: WatermarkReading, last: number): LogFinding[] {
  if (!reading.ok) return [{ kind: 'watermark', why: reading.error }];
  const { log_sequence: watermark = 0 } = reading.value ?? {};
  return watermark > last ? [{ kind: 'log_short', last, watermark }] : [];
}

async function checkHours(
  store: ReadableStore,
  parts: readonly LogEntry[],
  signal: AbortSignal,
): Promise<LogFinding[]> {
  const progress = showProgress('parts', parts.length);
  let done = 0;

  async function checkHour([, entries]: [string, LogEntry[]]): Promise<LogFinding[]> {
    const known = new IdSet();
    const findings: LogFinding[] = [];
    for (const entry of entries) {
      signal.throwIfAborted();
      findings.push(...(await checkPart(store, entry, known, signal)));
      done += 1;
      progress.update(done);
    }
    return findings;
  }

  const hours = Map.groupBy(parts, ({ partition }) => partition);
  const findings = await pMap(hours, checkHour, { concurrency: HOURS, signal });
  progress.end();
  return findings.flat();
}

/** Leaves out what is missing because it was replaced after the log was read. */
async function withoutReplaced(
  store: ReadableStore,
  findings: readonly LogFinding[],
  signal: AbortSignal,
): Promise<readonly LogFinding[]> {
  if (!findings.some(({ kind }) => kind === 'missing')) return findings;
  const { entries } = await readLog(store, 0, signal);
  const replaced = new Set(entries.map(({ replaces }) => replaces));
  return findings.filter((finding) => finding.kind !== 'missing' || !replaced.has(finding.entry.key));
}
