/**
 * Creating a planned part. It can be done again from any point, and by two runs at once, because
 * - the part is created and never replaced, so only one of several attempts counts, and its metadata say what is in it;
 * - a key stays open until a part lies there or nothing is left for it, so an attempt that comes late creates no rows
 *   that have meanwhile gone into another part;
 * - no other part of the hour is begun before this one is closed, so what has been published stays what it is.
 */

import type { ActiveErasures } from '../guests/active-erasures.ts';
import { readCounts, writeCounts } from '../storage/counts.ts';
import { create } from '../storage/create-object.ts';
import { IdSet } from '../storage/id-set.ts';
import { setAsideKey } from '../storage/keys.ts';
import { readInOrder, type Source } from '../storage/read-in-order.ts';
import { logError } from '../telemetry/log.ts';
import type { Bucket } from './bucket.ts';
import { buildPart, type Part } from './build-part.ts';
import { findPublished } from './find-published.ts';
import type { Limits } from './limits.ts';
import { type PlannedPart, withoutSources } from './manifest.ts';
import { createPartObject, fromMetadata, type PartFacts } from './part-facts.ts';

/** So many attempts take all sources, since a run can also be killed for other reasons. */
export const WHOLE_ATTEMPTS = 2;

export interface Created {
  /** The part that lies under its key; undefined when there was nothing new to publish. */
  readonly facts: PartFacts | undefined;
  /** How many of the sources are done with, from the first on. */
  readonly sources: number;
  /** What has to stay open under the same key, since nothing lies there yet and not all sources are done with. */
  readonly rest: PlannedPart | undefined;
  /** In how many rows of the part the guest was erased, by the erasure that was asked for. */
  readonly caught: ReadonlyMap<string, number>;
}

/**
 * Creates a part, unless an attempt before this one has.
 *
 * @param attempts - How many runs have tried, this one included. From the third on they take fewer and fewer sources:
 * what exceeds the memory or the CPU of a run once may do so every time.
 */
export async function createPart(
  bucket: Bucket,
  planned: PlannedPart,
  attempts: number,
  limits: Limits,
  erasures?: ActiveErasures,
): Promise<Created> {
  const found = await findPart(bucket, planned);
  if (found !== undefined) return found;
  const share = 2 ** Math.max(0, attempts - WHOLE_ATTEMPTS);
  const sources = planned.sources.slice(0, Math.ceil(planned.sources.length / share));
  const part = await buildNewRows(bucket, { ...planned, sources }, limits, erasures);
  for (const key of part.unreadable) await setAside(bucket, key);
  const { facts, caught } = part;
  if (facts === undefined) {
    return { facts, sources: part.sources, rest: withoutSources(planned, part.sources), caught };
  }

  const made = { facts, sources: part.sources, rest: undefined, caught };
  const more = {
    last_source: sources[part.sources - 1]?.[0] ?? '',
    ...(caught.size > 0 && { caught: writeCounts(caught) }),
  };
  return createPartObject<Created>(bucket, planned.output, part.body, facts, more, made, () =>
    findPart(bucket, planned),
  );
}

/**
 * The part of an attempt before this one. If it does not have the source that its metadata name, none are done with: they
 * go into a further part, where every event that has been published is left out.
 */
async function findPart(bucket: Pick<Bucket, 'head'>, planned: PlannedPart): Promise<Created | undefined> {
  const object = await bucket.head(planned.output);
  if (object === null) return undefined;
  const last = object.customMetadata?.last_source;
  const facts = fromMetadata(object);
  const sources = planned.sources.findIndex(([name]) => name === last) + 1;
  return { facts, sources, rest: undefined, caught: readCounts(object.customMetadata?.caught) };
}

/**
 * Packs what has not been published before. Repeats of an earlier part are rare, so the part is first built as if there
 * were none, and a second time without them only when some are found.
 */
async function buildNewRows(
  bucket: Bucket,
  planned: PlannedPart,
  limits: Limits,
  erasures: ActiveErasures | undefined,
): Promise<Part> {
  const read = (sources: readonly Source[]) => readInOrder(bucket, sources, limits);
  const draft = await buildPart(read, planned, new IdSet(), limits, erasures);
  const published = await findPublished(bucket, planned, draft);
  if (published.size === 0) return draft;
  // Only the sources that were looked up: without the repeats, the part might have room for more.
  const sources = planned.sources.slice(0, draft.sources);
  return buildPart(read, { ...planned, sources }, published, limits, erasures);
}

/** Keeps a landing object whole that holds anything but lines of its hour. Its readable lines are published as well. */
async function setAside(bucket: Pick<Bucket, 'get' | 'put'>, key: string): Promise<void> {
  const object = await bucket.get(key);
  if (object === null) return;
  const copy = setAsideKey(key);
  await create(bucket, copy, object.body, {});
  logError('unreadable_landing_object', new Error(`${key} holds something else than lines of its hour; see ${copy}`));
}
