/** `verify`: whether published objects are what the log says, all of them, each event once. */

import pMap from 'p-map';
import { IdSet } from '../../storage/id-set.ts';
import { EVENTS_PREFIX } from '../../storage/keys.ts';
import type { LogEntry } from '../../storage/log-entry.ts';
import { listHours, overlaps, type TimeRange } from '../list-hours.ts';
import type { ReadableStore, StoredObject } from '../object-store.ts';
import { showProgress } from '../show-progress.ts';
import { checkPart } from './check-part.ts';
import type { LogFinding } from './log-finding.ts';
import { readLog, standing } from './published-log.ts';
import { readWatermark } from './watermark.ts';

/** Hours that are checked at once. Each keeps the event_ids of one hour, 16 bytes and some room an event. */
const HOURS = 8;

/** What `verify` has looked at. */
export interface Verification {
  readonly parts: number;
  readonly rows: number;
  readonly findings: readonly LogFinding[];
}

/**
 * Checks a bucket, or a folder that `pull` has filled.
 *
 * An event_id lies in the hour of its part, which is checked, so one can repeat only within an hour: memory is bounded
 * by the hours that are read at once.
 *
 * @param range - Only parts of these hours; the log is always checked whole.
 * @param settledBefore - A publisher may be at work. What was written after this moment and is not in the log yet, or
 * was replaced after it and is still there, is no finding.
 */
export async function verify(
  store: ReadableStore,
  range: TimeRange,
  settledBefore: Date,
  signal: AbortSignal,
): Promise<Verification> {
  const watermark = await readWatermark(store);
  // Before the log, so that what is published meanwhile is not taken for an object without an entry.
  const listed = await Array.fromAsync(listHours(store, EVENTS_PREFIX.slice(0, -1), range));
  const log = await readLog(store, 0, signal);
  const last = log.entries.at(-1)?.sequence ?? 0;
  const isShort = watermark !== undefined && watermark.log_sequence > last;
  const parts = [...standing(log.entries).values()].filter(({ partition }) => overlaps(range, partition));
  const checked = await checkHours(store, parts, signal);
  return {
    parts: parts.length,
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
    findings: [
      ...log.findings,
      ...(isShort ? [{ kind: 'log_short', last, watermark: watermark.log_sequence } as const] : []),
      ...(await withoutReplaced(store, checked, last, signal)),
      ...checkListing(listed, log.entries, settledBefore),
    ],
  };
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
  last: number,
  signal: AbortSignal,
): Promise<readonly LogFinding[]> {
  if (!findings.some(({ kind }) => kind === 'missing')) return findings;
  const { entries } = await readLog(store, last, signal);
  const replaced = new Set(entries.map(({ replaces }) => replaces));
  return findings.filter((finding) => finding.kind !== 'missing' || !replaced.has(finding.entry.key));
}

/** What lies there and should not: every reader of all files would count it. */
function checkListing(
  objects: readonly StoredObject[],
  entries: readonly LogEntry[],
  settledBefore: Date,
): readonly LogFinding[] {
  const parts = standing(entries);
  const replacements = new Map(entries.map((entry) => [entry.replaces, entry]));
  return objects.flatMap(({ key, modified }): LogFinding[] => {
    if (parts.has(key) || !key.endsWith('.ndjson.gz')) return [];
    const by = replacements.get(key);
    const since = by === undefined ? modified : new Date(by.committed_at);
    if (since >= settledBefore) return [];
    return [by === undefined ? { kind: 'unlogged', key } : { kind: 'replaced', key, by }];
  });
}
