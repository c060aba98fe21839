/** `verify`: whether published objects are what the log says, all of them, each event once. */

import pMap from 'p-map';
import { IdSet } from '../../storage/id-set.ts';
import { EVENTS_PREFIX, PARQUET_PREFIX } from '../../storage/keys.ts';
import type { LogEntry } from '../../storage/log-entry.ts';
import type { ParquetEntry } from '../../storage/parquet-entry.ts';
import type { PublishedObject } from '../../storage/published-object.ts';
import { listHours, overlaps, overlapsDay, type TimeRange } from '../list-hours.ts';
import type { ReadableStore } from '../object-store.ts';
import { showProgress } from '../show-progress.ts';
import { checkCoverage } from './check-coverage.ts';
import { checkListing } from './check-listing.ts';
import { checkBytes, checkPart } from './check-part.ts';
import { currentObjects, lineageOf } from './coverage.ts';
import type { LogFinding } from './log-finding.ts';
import { PARQUET_LOG, PART_LOG, readLog, standing } from './published-log.ts';
import { readWatermark } from './watermark.ts';

/** Hours that are checked at once. Each keeps the event_ids of one hour, 16 bytes and some room an event. */
const HOURS = 8;

/** What is checked. */
export interface VerifyRequest {
  /** Only objects of these hours; the logs are always checked whole. */
  readonly range: TimeRange;
  /** In a bucket every object has to be there. In a copy, a part or a columnar object that covers it. */
  readonly place: 'bucket' | 'copy';
  /**
   * A publisher may be at work. What was written after this moment and is not in the log yet, or was replaced after it
   * and is still there, is no finding.
   */
  readonly settledBefore: Date;
}

/** What `verify` has looked at. */
export interface Verification {
  readonly parts: number;
  readonly columnar: number;
  /** Of the parts, and of the columnar objects in their place. */
  readonly rows: number;
  readonly findings: readonly LogFinding[];
}

/**
 * Checks a bucket, or a folder that `pull` has filled.
 *
 * An event_id lies in the hour of its part, which is checked, so one can repeat only within an hour: memory is bounded
 * by the hours that are read at once.
 */
export async function verify(
  store: ReadableStore,
  { range, place, settledBefore }: VerifyRequest,
  signal: AbortSignal,
): Promise<Verification> {
  const watermark = await readWatermark(store);
  // Before the logs, so that what is published meanwhile is not taken for an object without an entry; and that of
  // columnar objects before that of the parts that they cover.
  const listed = [
    ...(await Array.fromAsync(listHours(store, EVENTS_PREFIX.slice(0, -1), range))),
    ...(await Array.fromAsync(store.list(`${PARQUET_PREFIX}dt=`))),
  ];
  const columnarLog = await readLog(store, PARQUET_LOG, 0, signal);
  const log = await readLog(store, PART_LOG, 0, signal);
  const last = log.entries.at(-1)?.sequence ?? 0;
  const isShort = watermark !== undefined && watermark.log_sequence > last;

  const lineage = lineageOf(log.entries);
  const present = new Set(listed.map(({ key }) => key));
  const isNeeded = ({ key }: PublishedObject) => place === 'bucket' || present.has(key);
  const current = currentObjects(lineage, columnarLog.entries);
  const inPlace = [...current].filter(([object]) => place === 'copy' && present.has(object.key));
  const covered = new Set(inPlace.flatMap(([, parts]) => parts));
  const columnar = [...standing(columnarLog.entries).values()].filter(
    (object) => overlapsDay(range, object.day) && isNeeded(object),
  );
  const parts = [...lineage.parts.values()].filter(
    (part) => overlaps(range, part.partition) && (present.has(part.key) || !covered.has(part)),
  );
  const checked = [...(await checkHours(store, parts, signal)), ...(await checkColumnar(store, columnar, signal))];
  const rows = new Set([...parts, ...covered].filter(({ partition }) => overlaps(range, partition)));
  return {
    parts: parts.length,
    columnar: columnar.length,
    rows: [...rows].reduce((sum, part) => sum + part.rows, 0),
    findings: [
      ...log.findings,
      ...columnarLog.findings,
      ...(isShort
        ? [{ kind: 'log_short', log: PART_LOG.prefix, last, watermark: watermark.log_sequence } as const]
        : []),
      ...checkCoverage(columnarLog.entries, lineage.bySequence),
      ...(await withoutReplaced(store, checked, signal)),
      ...checkListing(listed, [...log.entries, ...columnarLog.entries], settledBefore),
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

async function checkColumnar(
  store: ReadableStore,
  objects: readonly ParquetEntry[],
  signal: AbortSignal,
): Promise<LogFinding[]> {
  const progress = showProgress('parquet', objects.length);
  let done = 0;

  async function checkNext(object: ParquetEntry): Promise<LogFinding[]> {
    const findings = await checkBytes(store, object);
    done += 1;
    progress.update(done);
    return findings;
  }

  const findings = await pMap(objects, checkNext, { concurrency: HOURS, signal });
  if (objects.length > 0) progress.end();
  return findings.flat();
}

/** Leaves out what is missing because it was replaced after its log was read. */
async function withoutReplaced(
  store: ReadableStore,
  findings: readonly LogFinding[],
  signal: AbortSignal,
): Promise<readonly LogFinding[]> {
  if (!findings.some(({ kind }) => kind === 'missing')) return findings;
  const [parts, columnar] = [await readLog(store, PART_LOG, 0, signal), await readLog(store, PARQUET_LOG, 0, signal)];
  const replaced = new Set([...parts.entries, ...columnar.entries].map(({ replaces }) => replaces));
  return findings.filter((finding) => finding.kind !== 'missing' || !replaced.has(finding.entry.key));
}
