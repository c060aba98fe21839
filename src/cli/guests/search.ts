/** The search for a guest: every line of every object that may tell of them. */

import pMap from 'p-map';
import { identifiersOfLine } from '../../guests/line-identifiers.ts';
import { type GuestSelection, wantedIdentifiers } from '../../guests/selection.ts';
import { LOG_PREFIX } from '../../storage/keys.ts';
import type { TimeRange } from '../list-hours.ts';
import type { ReadableStore } from '../object-store.ts';
import { showProgress } from '../show-progress.ts';
import { type Hit, openCheckpoint, type SearchStart } from './checkpoint.ts';
import type { SearchOptions } from './guests-options.ts';
import { hintOf } from './hint.ts';
import { isoTimeOf } from './line-time.ts';
import { type SearchObject, searchObjects } from './places.ts';
import { readLines } from './read-lines.ts';

/** How many objects are read at once. */
const READS = 16;

/** So many lines are no single guest's, and a request with them would be too large, in lines. */
const MAX_HITS = 200_000;

/** A row whose guest was erased: it still has the number of the reservation and nothing of the guest. */
const ERASED_ROW = /^\{"event_id":.*,"warnings":\[[^\]]*"erased"\]/;

/** How often the bucket is listed again for what has moved from `landing/` to `events/` meanwhile. */
const MAX_PASSES = 5;

/** What a search has found. */
export interface Found extends SearchStart {
  /** Only what was received before then was looked at. */
  readonly through: Date;
  /** The lines, an event that lies in several places under the first of them. */
  readonly hits: readonly Hit[];
  /** How many objects and bytes were read, earlier runs included. */
  readonly objects: number;
  readonly bytes: number;
}

/**
 * Searches a bucket.
 *
 * @param say - Gets how much will be read, before it is.
 */
export async function search(
  store: ReadableStore,
  { selection, range, checkpoint: file }: SearchOptions,
  signal: AbortSignal,
  say: (text: string) => void,
): Promise<Found> {
  const wanted = wantedIdentifiers(selection);
  const hint = hintOf(wanted);
  const checkpoint = await openCheckpoint(file, questionOf(selection, range), () => startOfSearch(store));
  const { startedAt, logThrough, done } = checkpoint;
  const through = range.to !== undefined && range.to < startedAt ? range.to : startedAt;
  const bounds = { ...range, to: through };
  const found = new Map(done);
  const sizes = new Map<string, number>();
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const listed = await Array.fromAsync(searchObjects(store, bounds));
    for (const { key, bytes } of listed) sizes.set(key, bytes);
    const pending = listed.filter(({ key }) => !found.has(key));
    if (pending.length === 0) break;
    if (pass === 1) say(describe(pending, listed.length - pending.length));
    await searchAll(pending);
  }
  const hits = onceEach([...found.values()].flat());
  const bytes = sizes.values().reduce((sum, size) => sum + size, 0);
  return { startedAt, logThrough, through, hits, objects: found.size, bytes };

  async function searchAll(pending: readonly SearchObject[]): Promise<void> {
    const progress = showProgress('search', pending.length);
    let count = found.values().reduce((sum, { length }) => sum + length, 0);
    let finished = 0;
    await pMap(
      pending,
      async (object) => {
        const hits = await searchObject(store, object, { wanted, hint }, bounds, signal);
        count += hits.length;
        if (count > MAX_HITS) {
          throw new Error(
            `Cannot search on: more than ${MAX_HITS} lines fit; say more closely who is meant, or give --from and --to`,
          );
        }
        await checkpoint.note(object.key, hits);
        found.set(object.key, hits);
        finished += 1;
        progress.update(finished, `${count} found`);
      },
      { concurrency: READS, signal },
    );
    progress.end();
  }
}

/** What is looked for. */
interface Wanted {
  readonly wanted: ReadonlySet<string>;
  readonly hint: RegExp | undefined;
}

async function searchObject(
  store: Pick<ReadableStore, 'read'>,
  { place, key }: SearchObject,
  { wanted, hint }: Wanted,
  { from, to }: TimeRange,
  signal: AbortSignal,
): Promise<Hit[]> {
  const hits: Hit[] = [];
  // One that is gone was published or deleted meanwhile; the next listing has what took its place.
  for await (const { number, text } of (await readLines(store, key, place === 'events' ? hint : undefined)) ?? []) {
    signal.throwIfAborted();
    const matched = wanted.intersection(await identifiersOfLine(text));
    if (matched.size === 0 || ERASED_ROW.test(text)) continue;
    const { time, eventId } = isoTimeOf(text);
    const isOutside = time !== null && ((from && time < from.toISOString()) || (to && time >= to.toISOString()));
    if (!isOutside)
      hits.push({ place, key, line: number, event_id: eventId, by: [...new Set(matched.values().map(kindOf))] });
  }
  return hits;
}

/** What a matching identifier is, without its value. */
function kindOf(identifier: string): string {
  return identifier.slice(0, identifier.indexOf(':')).replace(/@.*/, '');
}

/** Leaves out an event that was met again, in `landing/` for example. */
function onceEach(hits: readonly Hit[]): Hit[] {
  const published = new Set(hits.filter(({ place }) => place === 'events').map(({ event_id: id }) => id));
  const seen = new Set<string>();
  return hits.filter(({ place, event_id: id }) => {
    if (id === null || (place !== 'events' && place !== 'landing')) return true;
    if ((place === 'landing' && published.has(id)) || seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

async function startOfSearch(store: Pick<ReadableStore, 'list'>): Promise<SearchStart> {
  const startedAt = new Date();
  let last = '0';
  for await (const { key } of store.list(LOG_PREFIX)) last = key.slice(LOG_PREFIX.length);
  return { startedAt, logThrough: Number.parseInt(last, 10) };
}

function questionOf(selection: GuestSelection, { from, to }: TimeRange): string {
  return JSON.stringify([[...wantedIdentifiers(selection)].sort(), from ?? null, to ?? null]);
}

function describe(pending: readonly SearchObject[], before: number): string {
  const bytes = pending.reduce((sum, object) => sum + object.bytes, 0);
  const size = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(bytes);
  const earlier = before === 0 ? '' : `; ${before} were searched before`;
  return `Reads ${pending.length} object(s), ${size} bytes${earlier}`;
}
