/** Copying events into a folder, from one source or both. */

import { fileOf } from '../folder-store.ts';
import type { ObjectStore } from '../object-store.ts';
import { copyLanded, keepUnpublished, removeLanded } from './copy-landed.ts';
import type { SourceChoice } from './events-options.ts';
import type { PullRequest } from './plan-pull.ts';
import { type Pulled, pull } from './pull.ts';

/** What is there after copying. */
export interface CopiedEvents {
  /** Paths, those of published objects first, that hold each event of the hours once. */
  readonly files: readonly string[];
  /** What became of the published objects; undefined when they were not asked for. */
  readonly pulled: Pulled | undefined;
}

/**
 * Copies the events of some hours. What the folder has of `landing/` from an earlier time is replaced.
 *
 * Landing comes first: an event that is published meanwhile moves from there to `events/`, and is met at least once.
 */
export async function copyEvents(
  store: ObjectStore,
  folder: string,
  source: SourceChoice,
  request: PullRequest,
  signal: AbortSignal,
): Promise<CopiedEvents> {
  let landed: readonly string[] = [];
  if (source !== 'events') {
    await removeLanded(folder);
    landed = await copyLanded(store, folder, request.range, signal);
  }
  const pulled = source === 'landing' ? undefined : await pull(store, folder, request, signal);
  const published = pulled?.objects.map(({ key }) => key) ?? [];
  const unpublished = await keepUnpublished(folder, landed, published);
  return { files: [...published, ...unpublished].map((key) => fileOf(folder, key)), pulled };
}
