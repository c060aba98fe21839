/**
 * Carrying out a journal. It can be done again from any point, and by two runs at once, because
 * - the part is created and never replaced, so only one of several attempts counts, and its metadata say what is in it;
 * - sources are deleted only when the part is there, or when everything in them has been published before;
 * - no other part of any hour is begun before the journal is closed, so what has been published stays what it is.
 */

import { IdSet } from '../storage/id-set.ts';
import { setAsideKey } from '../storage/keys.ts';
import { logError } from '../telemetry/log.ts';
import type { Bucket } from './bucket.ts';
import { buildPart, type Part } from './build-part.ts';
import { findPublished } from './find-published.ts';
import { type Journal, sourceKeys } from './journal.ts';
import { DELETE_KEYS } from './limits.ts';

/** What came of a journal. */
export interface Published {
  readonly rows: number;
  /** Landing objects that are done with. */
  readonly sources: number;
  /** Of the part; 0 when there was nothing new to publish. */
  readonly bytes: number;
}

/** Publishes what the journal says and deletes its sources. */
export async function carryOut(bucket: Bucket, journal: Journal): Promise<Published> {
  const published = (await findPart(bucket, journal)) ?? (await publishPart(bucket, journal));
  const done = sourceKeys(journal, published.sources);
  for (let at = 0; at < done.length; at += DELETE_KEYS) await bucket.delete(done.slice(at, at + DELETE_KEYS));
  return published;
}

/** The part of an attempt before this one. */
async function findPart(bucket: Pick<Bucket, 'head'>, { output }: Journal): Promise<Published | undefined> {
  const object = await bucket.head(output);
  if (object === null) return undefined;
  const rows = Number(object.customMetadata?.rows);
  const sources = Number(object.customMetadata?.sources);
  if (!Number.isInteger(rows) || !Number.isInteger(sources)) {
    throw new Error(
      `Cannot finish ${output}: its metadata do not say what is in it; move the object away and run again`,
    );
  }
  return { rows, sources, bytes: object.size };
}

async function publishPart(bucket: Bucket, journal: Journal): Promise<Published> {
  const part = await buildNewRows(bucket, journal);
  for (const key of part.unreadable) await setAside(bucket, key);
  if (part.rows === 0) return { rows: 0, sources: part.sources, bytes: 0 };
  const created = await bucket.put(journal.output, part.body, {
    onlyIf: { etagDoesNotMatch: '*' },
    // No contentEncoding: with it some clients would decompress the object on their own, and others would not.
    httpMetadata: { contentType: 'application/gzip' },
    customMetadata: describe(part),
  });
  if (created !== null) return { rows: part.rows, sources: part.sources, bytes: created.size };
  const other = await findPart(bucket, journal);
  if (other === undefined)
    throw new Error(`Cannot create ${journal.output}: R2 says that it exists and that it does not`);
  return other;
}

/**
 * Packs what has not been published before. Repeats of an earlier part are rare, so the part is first built as if there
 * were none, and a second time without them only when some are found.
 */
async function buildNewRows(bucket: Bucket, journal: Journal): Promise<Part> {
  const draft = await buildPart(bucket, journal, new IdSet());
  const published = await findPublished(bucket, journal, draft);
  if (published.size === 0) return draft;
  // Only the sources that were looked up: without the repeats, the part might have room for more.
  return buildPart(bucket, { ...journal, sources: journal.sources.slice(0, draft.sources) }, published);
}

/** What is said about a part: enough to look for an event without reading it. */
function describe({ rows, sources, first, last, minutes }: Part): Record<string, string> {
  return {
    rows: String(rows),
    sources: String(sources),
    minutes: String(minutes),
    ...(first === undefined || last === undefined ? {} : { first_event_id: first, last_event_id: last }),
  };
}

/** Keeps a landing object whole. Its readable lines are published as well. */
async function setAside(bucket: Bucket, key: string): Promise<void> {
  const object = await bucket.get(key);
  if (object === null) return;
  const copy = setAsideKey(key);
  await bucket.put(copy, object.body, { onlyIf: { etagDoesNotMatch: '*' } });
  logError('unreadable_landing_object', new Error(`${key} holds something else than lines of its hour; see ${copy}`));
}
