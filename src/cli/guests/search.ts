/** The search for a guest: reads every line of every object that may hold the guest's data. */

import { type GuestSelection, idsOfUnknownHotels, wantedIdentifiers } from '../../guests/selection.ts';
import { LOG_PREFIX } from '../../storage/keys.ts';
import type { TimeRange } from '../list-hours.ts';
import { mapWithProgress } from '../map-with-progress.ts';
import type { ObjectStore, ReadableStore } from '../object-store.ts';
import { DamagedObject } from '../stored-lines.ts';
import { type Hit, openCheckpoint, type Searched, type SearchStart } from './checkpoint.ts';
import type { SearchOptions } from './guests-options.ts';
import { readKeptLine } from './kept-line.ts';
import { lineFilter } from './line-filter.ts';
import { type SearchObject, searchObjects } from './places.ts';
import { readObjectLines } from './read-lines.ts';

/** Objects that are read concurrently. */
const READS = 16;

/** Limit of matching lines: more cannot belong to one guest, and the request would be too large. */
const MAX_HITS = 200_000;

/** A row whose guest was erased: it keeps the reservation number and nothing about the guest. */
const ERASED_ROW = /^\{"event_id":.*,"warnings":\[[^\]]*"erased"\]/;

/** The time a line was received, as written by the service. */
const TIMES = /"(?:received_at|rejected_at|enqueued_at)":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/;
const EVENT_ID = /^\{"event_id":"([\da-f-]{36})"/;

/** How often the bucket is listed at most, to catch what moves from `landing/` to `events/` during the search. */
const MAX_PASSES = 5;

export interface Found extends SearchStart {
  /** Only data received before this time was searched. */
  readonly through: Date;
  /** The matching lines. An event found in several places counts in the place that is searched last. */
  readonly hits: readonly Hit[];
  /** All objects read, in earlier runs too, by key, with the time each was written. */
  readonly objects: ReadonlyMap<string, { readonly bytes: number; readonly modified: Date }>;
  /** Keys of objects that cannot be read to their end, and of objects with lines that were not read whole. */
  readonly damaged: readonly string[];
  readonly cut: readonly string[];
  /** Objects that were gone when they were to be read, at the last listing. */
  readonly moved: number;
}

/**
 * Searches a bucket for a guest.
 *
 * @param say - Called before the search with how much there is to read.
 */
export async function search(
  store: Pick<ObjectStore, 'now' | 'list' | 'get'>,
  { selection, range, checkpoint: file }: SearchOptions,
  signal: AbortSignal,
  say: (text: string) => void,
): Promise<Found> {
  const wanted = wantedIdentifiers(selection);
  const question: Question = { wanted: wanted.union(idsOfUnknownHotels(selection)), filter: lineFilter(wanted) };
  const checkpoint = await openCheckpoint(file, questionText(selection, range), () => startOfSearch(store));
  const { startedAt, logThrough, done } = checkpoint;
  const through = range.to !== undefined && range.to < startedAt ? range.to : startedAt;
  const bounds = { ...range, to: through };
  const found = new Map(done);
  const objects = new Map<string, SearchObject>();
  let moved = 0;
  const reading = {
    async get(key: string) {
      const body = await store.get(key);
      if (body === undefined) moved += 1;
      return body;
    },
  };
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const listed = await Array.fromAsync(searchObjects(store, bounds));
    for (const object of listed) objects.set(object.key, object);
    const pending = listed.filter(({ key }) => !found.has(key));
    moved = 0;
    if (pending.length === 0) break;
    if (pass === 1) say(describeSearch(pending, listed.length - pending.length));
    await searchAll(pending);
  }
  const keysWith = (isMeant: (searched: Searched) => boolean) =>
    [...found].filter(([, searched]) => isMeant(searched)).map(([key]) => key);
  return {
    startedAt,
    logThrough,
    through,
    hits: onceEach([...found.values()].flatMap(({ hits }) => hits)),
    objects,
    damaged: keysWith(({ is_damaged }) => is_damaged),
    cut: keysWith(({ cut }) => cut > 0),
    moved,
  };

  async function searchAll(pending: readonly SearchObject[]): Promise<void> {
    let count = found.values().reduce((sum, { hits }) => sum + hits.length, 0);
    const searchNext = async (object: SearchObject) => {
      const searched = await searchObject(reading, object, question, bounds, signal);
      count += searched.hits.length;
      if (count > MAX_HITS) {
        throw new Error(
          `Cannot continue the search: more than ${MAX_HITS} lines match; narrow the selection, or give --from and --to`,
        );
      }
      checkpoint.note(object.key, searched);
      found.set(object.key, searched);
    };
    const remark = () => `${count} found`;
    await mapWithProgress(pending, searchNext, { label: 'search', concurrency: READS, signal, remark });
  }
}

interface Question {
  readonly wanted: ReadonlySet<string>;
  readonly filter: RegExp | undefined;
}

async function searchObject(
  store: Pick<ReadableStore, 'get'>,
  { place, key }: SearchObject,
  { wanted, filter }: Question,
  { from, to }: TimeRange,
  signal: AbortSignal,
): Promise<Searched> {
  const hits: Hit[] = [];
  let cut = 0;
  try {
    // A missing object was published or deleted after it was listed; the next listing has its successor.
    for await (const { number, text } of readObjectLines(store, key, place === 'events' ? filter : undefined)) {
      signal.throwIfAborted();
      const [time, eventId] = [TIMES.exec(text)?.[1], EVENT_ID.exec(text)?.[1]];
      if (time !== undefined && ((from && time < from.toISOString()) || (to && time >= to.toISOString()))) continue;
      const { found, own, isCut } = await readKeptLine(place, text);
      if (isCut) cut += 1;
      const by = [...new Set(wanted.intersection(found).values().map(kindOf))];
      if (by.length === 0 || ERASED_ROW.test(text)) continue;
      hits.push({ place, key, line: number, event_id: eventId ?? null, by, own: !own.isDisjointFrom(wanted) });
    }
  } catch (error) {
    if (!(error instanceof DamagedObject)) throw error;
    return { hits, cut, is_damaged: true };
  }
  return { hits, cut, is_damaged: false };
}

/** The kind of an identifier, without its value. */
function kindOf(identifier: string): string {
  return identifier.slice(0, identifier.indexOf(':'));
}

/** Drops repeated events, such as one that is in `landing/` and in `events/`. */
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

/** Uses the clock of the store: the service stamps what it receives with the same clock. */
async function startOfSearch(store: Pick<ObjectStore, 'list' | 'now'>): Promise<SearchStart> {
  const startedAt = await store.now();
  let last = '0';
  for await (const { key } of store.list(LOG_PREFIX)) last = /\/(\d{20})\.json$/.exec(key)?.[1] ?? last;
  return { startedAt, logThrough: Number.parseInt(last, 10) };
}

function questionText(selection: GuestSelection, { from, to }: TimeRange): string {
  return JSON.stringify([[...wantedIdentifiers(selection)].sort(), from ?? null, to ?? null]);
}

function describeSearch(pending: readonly SearchObject[], before: number): string {
  const bytes = pending.reduce((sum, object) => sum + object.bytes, 0);
  const size = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(bytes);
  const earlier = before === 0 ? '' : `; ${before} were searched earlier`;
  return `Reads ${pending.length} object(s), ${size} bytes${earlier}`;
}
