/** Copying what has landed and may not be published yet. */

import { fileOf } from '../folder-store.ts';
import { listHours, type TimeRange } from '../list-hours.ts';
import { mapWithProgress } from '../map-with-progress.ts';
import type { StoredObject } from '../object-store/xml.ts';
import type { ObjectStore } from '../object-store.ts';
import { saveFile } from './save-file.ts';

/** How many objects are copied at once. */
const COPIES = 8;

/**
 * Copies landed objects into a folder. What is published has to be copied after it: an event that is published meanwhile
 * moves from here to `events/`, and is met at least once.
 *
 * @returns The paths of those that were there.
 */
export async function copyLanded(
  store: ObjectStore,
  folder: string,
  range: TimeRange,
  signal: AbortSignal,
): Promise<string[]> {
  const objects = await Array.fromAsync(listHours(store, 'landing', range));
  const copied: string[] = [];

  async function copyNext({ key }: StoredObject): Promise<void> {
    const file = fileOf(folder, key);
    const body = await store.get(key);
    // One that is gone has been published since it was listed, and is met again there.
    if (body !== undefined) {
      await saveFile(folder, key, body);
      copied.push(file);
    }
  }

  await mapWithProgress(objects, copyNext, { label: 'landing', concurrency: COPIES, signal, remark: () => 'objects' });
  return copied.sort();
}
