/** `pull`: keeps a local copy of published events in step with their log. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EVENTS_PARTITIONS, WATERMARK_KEY } from '../../storage/keys.ts';
import type { LogEntry } from '../../storage/log-entry.ts';
import { lockFolder } from '../folder-lock.ts';
import { createFolderStore, fileOf } from '../folder-store.ts';
import type { TimeRange } from '../list-hours.ts';
import { mapWithProgress } from '../map-with-progress.ts';
import type { StoredObject } from '../object-store/xml.ts';
import type { ReadableStore } from '../object-store.ts';
import { copyLog } from './copy-log.ts';
import { COPIES, fetchObject, isAsFetched } from './fetch-object.ts';
import { partsIn, standing } from './published-log.ts';
import { saveFile } from './save-file.ts';
import { readWatermark, type WatermarkReading } from './watermark.ts';

/**
 * Copies the published events of a range, and the log, into a folder, under the same names as in the bucket. A file
 * appears only once its checksum matches the log.
 *
 * In every hour, also outside of the range, a file whose part was replaced is deleted once its replacement is there.
 * Files that the log does not name are never deleted.
 *
 * @returns The `files` of the range, which together hold each of its events once; how many were fetched, and how many
 * removed because their parts were replaced; and the watermark of the bucket at the start.
 * @throws When the log has a gap, when an object does not match the log, and when another process copies into the
 * folder.
 */
export async function pull(store: ReadableStore, folder: string, range: TimeRange, signal: AbortSignal) {
  const unlock = lockFolder(folder, '.pull');
  try {
    return await copyPublished(store, folder, range, signal);
  } finally {
    unlock();
  }
}

async function copyPublished(store: ReadableStore, folder: string, range: TimeRange, signal: AbortSignal) {
  // Read before the log and written after the files, so that the copied log names all the parts that it counts.
  const watermark = await readWatermark(store);
  const present = new Map<string, StoredObject>();
  for await (const file of createFolderStore(folder).list(EVENTS_PARTITIONS)) present.set(file.key, file);
  let fetched = 0;
  for (let known = -1; ; ) {
    const entries = await copyLog(store, folder, signal);
    const chosen = partsIn(entries, range);
    // In every hour, fetch the replacement of a file before deleting the file.
    const successors = successorsOf(entries);
    const obsolete = [...present.keys()].filter((name) => successors.has(partOf(name)));
    const wanted = new Set([...chosen, ...obsolete.flatMap((name) => successors.get(partOf(name)) ?? [])]);
    const result = await fetchAll(store, folder, [...wanted], present, signal);
    fetched += result.fetched;
    if (result.gone.length > 0) {
      if (entries.length === known) {
        throw new Error(
          `Cannot copy ${result.gone.join(', ')}: the log names it and the bucket does not have it; restore it, then run the command again`,
        );
      }
      // They may have been replaced since the log was read.
      known = entries.length;
      continue;
    }
    for (const name of obsolete) await rm(fileOf(folder, name));
    const isThere = (part: LogEntry) => wanted.has(part) || present.get(part.key)?.bytes === part.bytes;
    const missing = [...standing(entries).values()].filter((part) => !isThere(part));
    await updateWatermark(folder, entries.length, missing, watermark);
    return { files: chosen.map(({ key }) => join(folder, key)), fetched, removed: obsolete.length, watermark };
  }
}

/** The key of the part that a file is a copy of, complete or not. */
function partOf(name: string): string {
  return name.replace(/\.part$/, '');
}

/** Maps each key that was replaced, because a guest was erased, to the part that is current now. */
function successorsOf(entries: readonly LogEntry[]): ReadonlyMap<string, LogEntry> {
  const successors = new Map<string, LogEntry>();
  // From last to first: a replacement comes after what it replaces.
  for (const entry of entries.toReversed()) {
    if (entry.replaces !== null) successors.set(entry.replaces, successors.get(entry.key) ?? entry);
  }
  return successors;
}

async function fetchAll(
  store: ReadableStore,
  folder: string,
  parts: readonly LogEntry[],
  present: ReadonlyMap<string, StoredObject>,
  signal: AbortSignal,
): Promise<{ fetched: number; gone: readonly string[] }> {
  const unseen = parts.filter((part) => {
    const file = present.get(part.key);
    return file === undefined || !isAsFetched(file, part);
  });
  const gone: string[] = [];
  let fetched = 0;

  async function fetchNext(part: LogEntry): Promise<void> {
    const outcome = await fetchObject(store, folder, part);
    if (outcome === 'gone') gone.push(part.key);
    if (outcome === 'fetched') fetched += 1;
  }

  const remark = () => `${fetched} new`;
  await mapWithProgress(unseen, fetchNext, { label: 'objects', concurrency: COPIES, signal, remark });
  return { fetched, gone };
}

/**
 * Writes the watermark if the folder holds everything it counts. Otherwise an earlier one stays if it is still true.
 */
async function updateWatermark(
  folder: string,
  sequence: number,
  missing: readonly LogEntry[],
  reading: WatermarkReading,
): Promise<void> {
  const watermark = reading.ok ? reading.value : undefined;
  if (watermark !== undefined && watermark.log_sequence <= sequence && missing.length === 0) {
    await saveFile(folder, WATERMARK_KEY, watermark.body);
    return;
  }
  const earlier = await readWatermark(createFolderStore(folder));
  const rests = earlier.ok ? (earlier.value?.log_sequence ?? 0) : Number.POSITIVE_INFINITY;
  if (missing.some((part) => part.sequence <= rests)) await rm(fileOf(folder, WATERMARK_KEY), { force: true });
}
