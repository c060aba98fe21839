/** One run of the writer of columnar objects: each complete day once more, typed, for readers of columns. */

import * as v from 'valibot';
import type { Clock } from '../../storage/clock.ts';
import { uuidv7 } from '../../storage/event-id.ts';
import { LOG_PREFIX, logKey, PARQUET_DAYS, parquetLogKey, parquetPrefix, WATERMARK_KEY } from '../../storage/keys.ts';
import { type LogEntry, LogEntrySchema } from '../../storage/log-entry.ts';
import { type ParquetEntry, ParquetEntrySchema, sequencesOf } from '../../storage/parquet-entry.ts';
import { readState } from '../../storage/state.ts';
import { WatermarkSchema } from '../../storage/watermark.ts';
import { type Bucket, listAll } from '../bucket.ts';
import { createObject, findObject } from './create-object.ts';
import { type Guests, KEPT } from './guests.ts';
import type { ParquetLimits } from './limits.ts';
import {
  isCovered,
  nextDay,
  type PlannedObject,
  planAnew,
  planNew,
  planReplacement,
  replacementsOfCovered,
  type Uncovered,
} from './plan.ts';
import { type Progress, readProgress } from './progress.ts';

/** What a run has done. */
export interface ParquetRun {
  /** `busy`: another run is at work. `overtaken`: another run went on in the middle. `more`: the next run goes on. */
  readonly ended: 'done' | 'more' | 'busy' | 'overtaken';
  readonly objects: number;
  readonly rows: number;
  /** Of the objects. */
  readonly bytes: number;
}

/**
 * Runs once. Whatever it throws, the next run takes up where it stopped:
 * - the object is opened in the progress, then created, then entered into the log, then closed; the first three can be
 *   done again, since nothing that exists is replaced and the same parts give the same rows;
 * - an object that was replaced is deleted when the entry that says so is there.
 */
export async function publishParquet(
  bucket: Bucket,
  clock: Clock,
  limits: ParquetLimits,
  guests: Guests,
): Promise<ParquetRun> {
  const total = { objects: 0, rows: 0, bytes: 0 };
  const held = await readProgress(bucket, uuidv7(), clock);
  if (held.value.lease_until > clock.now()) return { ended: 'busy', ...total };

  let progress = comparedWith(guests, await readLog(bucket, held.value, limits.logEntries));
  const completeThrough = await readWatermark(bucket);
  for (;;) {
    const open =
      progress.open ??
      (await planNext(bucket, progress, completeThrough, clock.now(), limits)) ??
      (await planOther(bucket, progress, guests));
    if (open === undefined) {
      progress = { ...progress, guests_even: true };
      const same = isSame(progress, held.value) && total.objects === 0;
      const closed = same || (await held.write({ ...progress, lease_until: 0, open: null }));
      return { ended: closed ? 'done' : 'overtaken', ...total };
    }
    if (total.rows >= limits.runRows) {
      return { ended: (await held.write({ ...progress, lease_until: 0 })) ? 'more' : 'overtaken', ...total };
    }
    progress = { ...progress, lease_until: clock.now() + limits.leaseMs, open };
    if (!(await held.write(progress))) return { ended: 'overtaken', ...total };
    const entry = await publishObject(bucket, open, progress.sequence + 1, clock.now(), limits, guests);
    if (entry === undefined) {
      progress = await planAgain(bucket, progress, limits);
      continue;
    }
    total.objects += 1;
    total.rows += entry.rows;
    total.bytes += entry.bytes;
    progress = close(progress, open, entry.sequence);
  }
}

/** Notes that objects have to be compared again when they are to show guests in another way from now on. */
function comparedWith({ mark }: Guests, progress: Progress): Progress {
  return progress.guests === mark ? progress : { ...progress, guests: mark, guests_even: false };
}

function isSame(one: Progress, other: Progress): boolean {
  return (
    one.read_through === other.read_through && one.guests === other.guests && one.guests_even === other.guests_even
  );
}

/** Takes note of the entries of the log of parts that came since. */
async function readLog(bucket: Bucket, progress: Progress, atMost: number): Promise<Progress> {
  const uncovered: Record<string, Uncovered[]> = { ...progress.uncovered };
  let readThrough = progress.read_through;
  for await (const { key } of listAll(bucket, { prefix: LOG_PREFIX, startAfter: logKey(readThrough) })) {
    if (readThrough - progress.read_through === atMost) break;
    const entry = await readEntry(bucket, key, LogEntrySchema);
    const day = entry.partition.slice('dt='.length, 'dt=YYYY-MM-DD'.length);
    uncovered[day] = [...(uncovered[day] ?? []), uncoveredOf(entry)];
    readThrough = entry.sequence;
  }
  return { ...progress, uncovered, read_through: readThrough };
}

function uncoveredOf({ sequence, key, replaces, rows, committed_at }: LogEntry): Uncovered {
  return { sequence, key, replaces, rows, committed_at: Date.parse(committed_at) };
}

async function readEntry<Entry>(bucket: Bucket, key: string, schema: v.GenericSchema<unknown, Entry>): Promise<Entry> {
  const object = await bucket.get(key);
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), await object?.text());
  if (!read.success) throw new Error(`Cannot read ${key}: it is no entry of this log; restore it from a copy`);
  return read.output;
}

/** The moment through which parts are complete, in milliseconds since 1970. */
async function readWatermark(bucket: Bucket): Promise<number> {
  const { value } = await readState(bucket, WATERMARK_KEY, WatermarkSchema);
  return value === undefined ? Number.NEGATIVE_INFINITY : Date.parse(value.complete_through);
}

/** Plans the next object. A replacement of what is covered comes before anything new of its day. */
async function planNext(
  bucket: Bucket,
  { uncovered }: Progress,
  completeThrough: number,
  now: number,
  limits: ParquetLimits,
): Promise<PlannedObject | undefined> {
  const day = nextDay(uncovered, completeThrough, now, limits);
  if (day === undefined) return undefined;
  const entries = uncovered[day] ?? [];
  const [replacement] = replacementsOfCovered(entries);
  if (replacement === undefined) return planNew(day, entries, limits);
  for await (const covering of entriesOfDay(bucket, day)) {
    const covered = await readCovered(bucket, covering);
    if (covered.some(({ key }) => key === replacement.replaces)) {
      return planReplacement(day, covered, entries, covering.key);
    }
  }
  throw new Error(
    `Cannot bring the columnar objects of ${day} in line with entry ${replacement.sequence} of the log: none covers ${replacement.replaces}`,
  );
}

/** Plans the next object in place of one that shows guests in another way, if there is one. */
async function planOther(
  bucket: Bucket,
  { sequence, uncovered, guests_even: isEven }: Progress,
  { mark }: Guests,
): Promise<PlannedObject | undefined> {
  if (isEven) return undefined;
  for await (const { customMetadata } of listAll(bucket, { prefix: PARQUET_DAYS, include: ['customMetadata'] })) {
    if ((customMetadata?.guests ?? KEPT) === mark) continue;
    const other = await readEntry(bucket, parquetLogKey(Number(customMetadata?.sequence)), ParquetEntrySchema);
    const covered = await readCovered(bucket, other);
    return planAnew(other.day, covered, uncovered[other.day] ?? [], other.key, sequence + 1);
  }
  return undefined;
}

/** The entries of the log of parts that an object covers. */
async function readCovered(bucket: Bucket, { covers }: ParquetEntry): Promise<Uncovered[]> {
  const covered: Uncovered[] = [];
  for (const sequence of sequencesOf(covers)) {
    covered.push(uncoveredOf(await readEntry(bucket, logKey(sequence), LogEntrySchema)));
  }
  return covered;
}

/** The entries of the objects of a day that were not replaced. */
async function* entriesOfDay(bucket: Bucket, day: string): AsyncGenerator<ParquetEntry> {
  for await (const { customMetadata } of listAll(bucket, { prefix: parquetPrefix(day), include: ['customMetadata'] })) {
    yield await readEntry(bucket, parquetLogKey(Number(customMetadata?.sequence)), ParquetEntrySchema);
  }
}

/**
 * Creates the object and its entry, and deletes what it replaces.
 *
 * @returns Undefined when a part is missing.
 */
async function publishObject(
  bucket: Bucket,
  { day, key, replaces, covers, parts }: PlannedObject,
  sequence: number,
  now: number,
  { groupRows }: ParquetLimits,
  guests: Guests,
): Promise<ParquetEntry | undefined> {
  const logged = parquetLogKey(sequence);
  const facts =
    (await findObject(bucket, key)) ?? (await createObject(bucket, key, parts, groupRows, sequence, guests));
  if (facts === undefined) return undefined;
  const entry: ParquetEntry = {
    sequence,
    committed_at: new Date(now).toISOString(),
    operation: replaces === null ? 'add' : 'replace',
    key,
    replaces,
    day,
    ...facts,
    covers,
  };
  await bucket.put(logged, JSON.stringify(entry), {
    onlyIf: { etagDoesNotMatch: '*' },
    httpMetadata: { contentType: 'application/json' },
  });
  if (replaces !== null) await bucket.delete(replaces);
  return readEntry(bucket, logged, ParquetEntrySchema);
}

/**
 * Gives up an object of which a part is missing, so that it is planned anew.
 *
 * @throws When the log does not say what has replaced the part.
 */
async function planAgain(bucket: Bucket, progress: Progress, limits: ParquetLimits): Promise<Progress> {
  const next = await readLog(bucket, { ...progress, open: null }, limits.logEntries);
  if (next.read_through > progress.read_through) return next;
  throw new Error(
    `Cannot write ${progress.open?.key}: one of its parts is missing and the log names none in its place; see what "events -- verify" says`,
  );
}

/** Counts an object as written, and what it covers as covered. */
function close(progress: Progress, { day, covers }: PlannedObject, sequence: number): Progress {
  const left = (progress.uncovered[day] ?? []).filter((entry) => !isCovered(covers, entry.sequence));
  const { [day]: _, ...others } = progress.uncovered;
  return { ...progress, sequence, open: null, uncovered: left.length === 0 ? others : { ...others, [day]: left } };
}
