/** `pull`: a copy of published events that follows the log. */

import { rm } from 'node:fs/promises';
import pMap from 'p-map';
import { EVENTS_PREFIX, WATERMARK_KEY } from '../../storage/keys.ts';
import type { LogEntry } from '../../storage/log-entry.ts';
import { fileOf, openFolder } from '../folder-store.ts';
import type { TimeRange } from '../list-hours.ts';
import type { ReadableStore } from '../object-store.ts';
import { showProgress } from '../show-progress.ts';
import { copyLog } from './copy-log.ts';
import { fetchPart } from './fetch-part.ts';
import { planPull } from './plan-pull.ts';
import { standing } from './published-log.ts';
import { saveFile } from './save-file.ts';
import { type ReadWatermark, readWatermark } from './watermark.ts';

/** How many objects are copied at once. */
const COPIES = 8;

/** What a pull came to. */
export interface Pulled {
  /** The parts of the range, all of them in the folder now. */
  readonly parts: readonly LogEntry[];
  readonly fetched: number;
  /** Files that were deleted, because their parts were replaced. */
  readonly removed: number;
  /** The watermark of the bucket when the pull began. */
  readonly watermark: ReadWatermark | undefined;
}

/**
 * Makes a folder hold the published parts of some hours, below it named as in the bucket, and the log beside them. A file
 * is there when its checksum is that of the log.
 *
 * A part that was replaced goes once its replacement is there, whatever its hour. No other file is deleted.
 *
 * @throws When the log has a gap, and when an object is not what the log says.
 */
export async function pull(
  store: ReadableStore,
  folder: string,
  range: TimeRange,
  signal: AbortSignal,
): Promise<Pulled> {
  // Before the log, and written after the files: all that it counts is in parts that the log has by then.
  const watermark = await readWatermark(store);
  const present = await presentKeys(folder);
  let fetched = 0;
  let entries = await copyLog(store, folder, signal);
  let plan = planPull(entries, range, present);
  for (;;) {
    const result = await fetchAll(store, folder, plan.wanted, signal);
    fetched += result.fetched;
    if (result.gone.length === 0) break;
    // Replaced since the log was read, or lost.
    const known = entries.length;
    entries = await copyLog(store, folder, signal);
    if (entries.length === known) {
      throw new Error(
        `Cannot copy ${result.gone.join(', ')}: the log names it and the bucket does not have it; restore it, then run the command again`,
      );
    }
    plan = planPull(entries, range, present);
  }
  for (const key of plan.replaced) await rm(fileOf(folder, key));
  await updateWatermark(folder, entries, watermark);
  const { wanted: parts } = planPull(entries, range, new Set());
  return { parts, fetched, removed: plan.replaced.length, watermark };
}

async function fetchAll(store: ReadableStore, folder: string, parts: readonly LogEntry[], signal: AbortSignal) {
  const progress = showProgress('parts', parts.length);
  const gone: string[] = [];
  let fetched = 0;
  let done = 0;

  async function fetchNext(entry: LogEntry): Promise<void> {
    const outcome = await fetchPart(store, folder, entry);
    if (outcome === 'gone') gone.push(entry.key);
    if (outcome === 'fetched') fetched += 1;
    done += 1;
    progress.update(done, `${fetched} new`);
  }

  await pMap(parts, fetchNext, { concurrency: COPIES, signal });
  progress.end();
  return { fetched, gone };
}

/**
 * Writes the watermark when the folder holds all that it counts. An earlier one stays as long as it is true.
 */
async function updateWatermark(
  folder: string,
  entries: readonly LogEntry[],
  watermark: ReadWatermark | undefined,
): Promise<void> {
  const sizes = new Map<string, number>();
  for await (const { key, bytes } of openFolder(folder).list(EVENTS_PREFIX)) sizes.set(key, bytes);
  const holdsUpTo = (sequence: number) =>
    [...standing(entries).values()].every((entry) => entry.sequence > sequence || sizes.get(entry.key) === entry.bytes);
  const file = fileOf(folder, WATERMARK_KEY);
  if (watermark !== undefined && watermark.log_sequence <= entries.length && holdsUpTo(entries.length)) {
    await saveFile(file, watermark.body);
    return;
  }
  const earlier = await readWatermark(openFolder(folder));
  if (earlier !== undefined && !holdsUpTo(earlier.log_sequence)) await rm(file);
}

async function presentKeys(folder: string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for await (const { key } of openFolder(folder).list(EVENTS_PREFIX)) keys.add(key);
  return keys;
}
