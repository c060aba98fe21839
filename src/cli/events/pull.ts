/** `pull`: a copy of published events that follows their log. */

import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import pMap from 'p-map';
import { EVENTS_PREFIX, PARQUET_PREFIX, WATERMARK_KEY } from '../../storage/keys.ts';
import type { PublishedObject } from '../../storage/published-object.ts';
import { fileOf, openFolder } from '../folder-store.ts';
import type { ReadableStore } from '../object-store.ts';
import { showProgress } from '../show-progress.ts';
import { copyLog } from './copy-log.ts';
import { currentObjects, lineageOf } from './coverage.ts';
import { fetchObject } from './fetch-object.ts';
import { type PullRequest, type PullState, planPull } from './plan-pull.ts';
import { PARQUET_LOG, PART_LOG } from './published-log.ts';
import { saveFile } from './save-file.ts';
import { type ReadWatermark, readWatermark } from './watermark.ts';

/** How many objects are copied at once. */
const COPIES = 8;

/** What a pull came to. */
export interface Pulled {
  /** The objects of the range, all of them in the folder now, which hold each of its events once. */
  readonly objects: readonly PublishedObject[];
  readonly fetched: number;
  /** Files that were deleted, because their objects were replaced or are not wanted twice. */
  readonly removed: number;
  /** The watermark of the bucket when the pull began. */
  readonly watermark: ReadWatermark | undefined;
}

/**
 * Makes a folder hold the published events of some hours, in files below it named as in the bucket, and the log beside
 * them. A file is there when its checksum is that of the log.
 *
 * What was replaced is deleted once its replacement is there, in every hour. No file is deleted that no log names.
 *
 * @throws When a log has a gap, and when an object is not what the log says.
 */
export async function pull(
  store: ReadableStore,
  folder: string,
  request: PullRequest,
  signal: AbortSignal,
): Promise<Pulled> {
  // Before the log, and written after the files: all that it counts is in parts that the log has by then.
  const watermark = await readWatermark(store);
  let fetched = 0;
  let state = await readState(store, folder, request, signal);
  let plan = planPull(state, request);
  for (;;) {
    const result = await fetchAll(store, folder, plan.wanted, signal);
    fetched += result.fetched;
    if (result.gone.length === 0) break;
    // Replaced since the logs were read, or lost.
    const before = state.parts.length + state.columnar.length;
    state = await readState(store, folder, request, signal);
    if (state.parts.length + state.columnar.length === before) {
      throw new Error(
        `Cannot copy ${result.gone.join(', ')}: the log names it and the bucket does not have it; restore it, then run the command again`,
      );
    }
    plan = planPull(state, request);
  }
  for (const name of plan.obsolete) await rm(fileOf(folder, name));
  await updateWatermark(folder, state, watermark);
  return { objects: plan.chosen, fetched, removed: plan.obsolete.length, watermark };
}

/** Copies the logs. That of columnar objects comes first, so that all parts that it names are in the other. */
async function readState(
  store: ReadableStore,
  folder: string,
  { prefer }: PullRequest,
  signal: AbortSignal,
): Promise<PullState> {
  const present = new Set<string>();
  for (const prefix of [EVENTS_PREFIX, PARQUET_PREFIX]) {
    for await (const { key } of openFolder(folder).list(prefix)) present.add(key);
  }
  // Columnar objects of an earlier pull have to follow erasures as well.
  const isColumnar = prefer === 'parquet' || existsSync(fileOf(folder, PARQUET_PREFIX.slice(0, -1)));
  const columnar = isColumnar ? await copyLog(store, folder, PARQUET_LOG, signal) : [];
  return { parts: await copyLog(store, folder, PART_LOG, signal), columnar, present };
}

async function fetchAll(
  store: ReadableStore,
  folder: string,
  objects: readonly PublishedObject[],
  signal: AbortSignal,
): Promise<{ fetched: number; gone: readonly string[] }> {
  const progress = showProgress('objects', objects.length);
  const gone: string[] = [];
  let fetched = 0;
  let done = 0;

  async function fetchNext(object: PublishedObject): Promise<void> {
    const outcome = await fetchObject(store, folder, object);
    if (outcome === 'gone') gone.push(object.key);
    if (outcome === 'fetched') fetched += 1;
    done += 1;
    progress.update(done, `${fetched} new`);
  }

  await pMap(objects, fetchNext, { concurrency: COPIES, signal });
  progress.end();
  return { fetched, gone };
}

/** Writes the watermark when the folder holds all that it counts. An earlier one stays as long as it is true. */
async function updateWatermark(
  folder: string,
  { parts, columnar }: PullState,
  watermark: ReadWatermark | undefined,
): Promise<void> {
  const store = openFolder(folder);
  const sizes = new Map<string, number>();
  for (const prefix of [EVENTS_PREFIX, PARQUET_PREFIX]) {
    for await (const { key, bytes } of store.list(prefix)) sizes.set(key, bytes);
  }
  const isThere = ({ key, bytes }: PublishedObject) => sizes.get(key) === bytes;
  const lineage = lineageOf(parts);
  const covered = new Set(
    [...currentObjects(lineage, columnar)].flatMap(([object, covers]) => (isThere(object) ? covers : [])),
  );
  const missing = [...lineage.parts.values()].filter((part) => !isThere(part) && !covered.has(part));
  const file = fileOf(folder, WATERMARK_KEY);
  if (watermark !== undefined && watermark.log_sequence <= parts.length && missing.length === 0) {
    await saveFile(file, watermark.body);
    return;
  }
  const earlier = await readWatermark(store);
  if (earlier !== undefined && missing.some(({ sequence }) => sequence <= earlier.log_sequence)) await rm(file);
}
