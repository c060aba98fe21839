/**
 * Creating a planned part. This can be repeated from any point, and by two runs concurrently, because
 * - the part is created and never replaced, so only one of several attempts counts, and its metadata say what it holds;
 * - a key stays open until its part exists or no sources are left for it, so a delayed attempt creates no rows that
 *   have meanwhile gone into another part;
 * - no other part of the hour is begun before this one is closed, so the set of published events does not change.
 */

import type { ActiveErasures } from '../guests/active-erasures.ts';
import type { Bucket } from '../storage/bucket.ts';
import { readCounts, writeCounts } from '../storage/counts.ts';
import { create } from '../storage/create-object.ts';
import { IdSet } from '../storage/id-set.ts';
import { setAsideKey } from '../storage/keys.ts';
import { readInOrder, type Source } from '../storage/read-in-order.ts';
import { logError } from '../telemetry/log.ts';
import { buildPart, type Part } from './build-part.ts';
import { findPublished } from './find-published.ts';
import type { Limits } from './limits.ts';
import { type PlannedPart, withoutSources } from './manifest.ts';
import { createPartObject, fromMetadata, type PartFacts } from './part-facts.ts';

/** The number of attempts that take all sources, since a run can also be killed for other reasons. */
export const WHOLE_ATTEMPTS = 2;

export interface Created {
  /** The part under its key; undefined when there was nothing new to publish. */
  readonly facts: PartFacts | undefined;
  /** How many of the sources were processed, counted from the first. */
  readonly sources: number;
  /** What has to stay open under the same key, since no part exists there yet and some sources are left. */
  readonly rest: PlannedPart | undefined;
  /** The number of rows of the part in which guests were erased, by erasure id. */
  readonly caught: ReadonlyMap<string, number>;
}

/**
 * Creates a part unless an earlier attempt already has.
 *
 * @param attempts - How many runs have tried, including this one. From the third on they take fewer and fewer sources:
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
 * The part of an earlier attempt. If the plan does not contain the source that its metadata name, no source counts as
 * processed: they all go into a further part, where every event already published is left out.
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
 * Packs the events that were not published before. Repeats of an earlier part are rare, so the part is first built as
 * if there were none, and built again without them only when some are found.
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
  // Only the sources that were checked: without the repeats, the part might have room for more.
  const sources = planned.sources.slice(0, draft.sources);
  return buildPart(read, { ...planned, sources }, published, limits, erasures);
}

/** Keeps a copy of a landing object that holds anything but lines of its hour. Those lines are published as well. */
async function setAside(bucket: Pick<Bucket, 'get' | 'put'>, key: string): Promise<void> {
  const object = await bucket.get(key);
  if (object === null) return;
  const copy = setAsideKey(key);
  await create(bucket, copy, object.body, {});
  logError('unreadable_landing_object', new Error(`${key} holds something else than lines of its hour; see ${copy}`));
}
